import { errorTexts } from "@warren/protocol";
import { expect, it } from "vitest";
import { checkBackend, pageOfRepository } from "./build-facts.ts";

it.each([
  ["https://git.example.org/people/warren.git", "https://git.example.org/people/warren"],
  ["https://somebody:token@git.example.org/people/warren", "https://git.example.org/people/warren"],
  ["git@git.example.org:people/warren.git", "https://git.example.org/people/warren"],
  ["ssh://git@git.example.org/people/warren/", "https://git.example.org/people/warren"],
  ["/srv/git/warren", ""],
  ["http://intranet/warren.git", ""],
  ["", ""],
])("a repository at %j is shown as %j", (remote, page) => {
  expect(pageOfRepository(remote)).toBe(page);
});

it("a build has the websocket backend and no other", () => {
  expect(() => checkBackend("WEBSOCKET")).not.toThrow();
  for (const name of ["FIREBASE", "websocket", "", "toString"])
    expect(() => checkBackend(name)).toThrow(errorTexts["invalid-backend-type"]);
});
