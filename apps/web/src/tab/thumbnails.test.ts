import { expect, test } from "vitest";
import { Thumbnails } from "./thumbnails.ts";

test("are made once, one at a time, the latest request first", async () => {
  const thumbnails = new Thumbnails();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const request = (key: string) =>
    thumbnails.request({
      key,
      make: () => {
        begun.push(key);
        return new Promise((resolve) => ends.push(() => resolve(`thumbnail of ${key}`)));
      },
      done: () => {},
    });
  request("first");
  const cancel = request("cancelled");
  request("last");
  cancel();
  expect(begun).toEqual(["first"]);
  ends[0]?.();
  await expect.poll(() => begun).toEqual(["first", "last"]);
  ends[1]?.();
  const again = new Promise((done) => {
    thumbnails.request({ key: "first", make: async () => "another", done });
  });
  expect(await again).toBe("thumbnail of first");
  expect(begun).toEqual(["first", "last"]);
});

test("that cannot be made are not tried again", async () => {
  const thumbnails = new Thumbnails();
  const made = (make: () => Promise<string | null>) =>
    new Promise((done) => {
      thumbnails.request({ key: "broken", make, done });
    });
  expect(await made(() => Promise.reject(new Error("unreadable")))).toBeNull();
  expect(await made(async () => "another")).toBeNull();
  expect(thumbnails.cached("broken")).toBeNull();
});
