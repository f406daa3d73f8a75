import { roomTagSchema } from "@warren/protocol";
import { expect, it } from "vitest";
import { roomTagOf } from "./room-tag.ts";

it("tells the server a tag that is the same for one room and says nothing of its name", () => {
  const tag = roomTagOf("harbour");
  expect(roomTagSchema.safeParse(tag).success).toBe(true);
  expect(roomTagOf("harbour")).toBe(tag);
  expect(roomTagOf("harbor")).not.toBe(tag);
});
