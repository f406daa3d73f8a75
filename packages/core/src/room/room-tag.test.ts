import { roomTagSchema, v } from "@warren/protocol";
import { expect, it } from "vitest";
import { roomTagOf } from "./room-tag.ts";

it("derives the same tag for the same room, without revealing its name to the server", () => {
  const tag = roomTagOf("harbour");
  expect(v.is(roomTagSchema, tag)).toBe(true);
  expect(roomTagOf("harbour")).toBe(tag);
  expect(roomTagOf("harbor")).not.toBe(tag);
});
