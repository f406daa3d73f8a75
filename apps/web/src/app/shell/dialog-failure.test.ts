import { WarrenError } from "@warren/protocol";
import { expect, test } from "vitest";
import { translate } from "../../i18n/i18n.ts";
import { CodeMissing } from "../../ui/on-demand.tsx";
import { dialogFailure } from "./dialog-failure.ts";

test("a dialog whose code failed to load says what to do, and one that crashed shows no exception", () => {
  expect(dialogFailure(new CodeMissing(new TypeError("Failed to fetch")), translate)).toEqual({
    title: "Error occurred",
    description: "This part could not be loaded. Check your network and try again.",
  });
  expect(dialogFailure(new Error("cache 7 not found"), translate)).toEqual({ title: "Error occurred" });
});

test("a dialog missing on the server is reported as of another version, with a reload", () => {
  expect(
    dialogFailure(new CodeMissing(new WarrenError("http-error", { code: 404 })), translate),
  ).toMatchObject({
    title: "HTTP error! status: 404",
    description: "The server now has a different version of Warren. Reload to use it.",
    action: { label: "Reload" },
  });
});
