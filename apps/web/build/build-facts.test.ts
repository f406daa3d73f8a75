import { expect, it } from "vitest";
import { pageOfRepository, readBasePath, readSignallingUrl } from "./build-facts.ts";

it.each([
  ["https://git.example.org/people/warren.git", "https://git.example.org/people/warren"],
  ["https://somebody:token@git.example.org/people/warren", "https://git.example.org/people/warren"],
  ["git@git.example.org:people/warren.git", "https://git.example.org/people/warren"],
  ["ssh://git@git.example.org/people/warren/", "https://git.example.org/people/warren"],
  ["/srv/git/warren", ""],
  ["http://intranet/warren.git", ""],
  ["", ""],
])("the page of the repository %j is %j", (remote, page) => {
  expect(pageOfRepository(remote)).toBe(page);
});

it("a base path is the root or a path with a slash at both ends", () => {
  expect(["", undefined, "/", "/warren/", "/a/b.c-d_e~/"].map(readBasePath)).toEqual([
    ...["/", "/", "/", "/warren/", "/a/b.c-d_e~/"],
  ]);
  expect(["/.well/", "/.../", "/a../"].map(readBasePath)).toEqual(["/.well/", "/.../", "/a../"]);
  for (const path of [
    ...["warren", "/warren", "warren/", "//", "/a//b/", "/a b/", "https://a.example/", "/%2e/"],
    ...["/./", "/../", "/a/../", "/a/./b/"],
  ])
    expect(() => readBasePath(path), path).toThrow("BASE_PATH must be a path such as /warren/");
});

it("a build may use a signalling server elsewhere", () => {
  expect([undefined, "", "wss://signal.example.org/ws"].map(readSignallingUrl)).toEqual([
    ...[null, null, "wss://signal.example.org/ws"],
  ]);
  for (const address of ["signal.example.org", "https://signal.example.org/ws", "wss://", "wss://a b/ws"])
    expect(() => readSignallingUrl(address), address).toThrow("VITE_SIGNALLING_URL must be an address");
});
