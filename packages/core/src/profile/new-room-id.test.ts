import { roomIdSchema, v } from "@warren/protocol";
import { expect, it } from "vitest";
import { codeWords, readCodeWords } from "../room/short-code-words.ts";
import { newRoomId } from "./new-room-id.ts";
import { roomWords } from "./room-words.ts";

it("is three words of a list of at least 2,048", () => {
  expect(new Set(roomWords).size).toBe(roomWords.length);
  expect(roomWords.length).toBeGreaterThanOrEqual(2_048);
  for (const word of roomWords) expect(word).toMatch(/^[a-z]{3,8}$/);
  for (const word of ["poison", "dead", "attack", "plague", "guilty", "enemy"])
    expect(roomWords).not.toContain(word);
  const ids = Array.from({ length: 200 }, newRoomId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) {
    expect(id).toMatch(/^[a-z]+-[a-z]+-[a-z]+$/);
    expect(v.is(roomIdSchema, id)).toBe(true);
  }
});

it("is never taken for a code, however it is typed", () => {
  for (const word of roomWords) expect(codeWords).not.toContain(word);
  // Two words that no code has are enough: a code is typed with one wrong word at most.
  for (let at = 0; at + 1 < roomWords.length; at++)
    for (const separator of ["-", " "])
      expect(readCodeWords([roomWords[at], roomWords[at + 1], "harvest"].join(separator))).toBeNull();
});
