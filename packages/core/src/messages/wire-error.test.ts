import { limits, WarrenError } from "@warren/protocol";
import { expect, test } from "vitest";
import { errorAnswer } from "./wire-error.ts";

test("cuts a long text and its values between letters", () => {
  const reason = `${"x".repeat(255)}😀${"y".repeat(500)}`;
  const answer = errorAnswer("m-000001", new WarrenError("storage-failed", { reason }));
  expect(answer).toMatchObject({ values: { reason: "x".repeat(255) } });
  const text = "error" in answer ? String(answer.error) : "";
  expect(text.length).toBeLessThanOrEqual(limits.errorTextLength);
});
