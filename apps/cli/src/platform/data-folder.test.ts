import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DataFolder } from "./data-folder.ts";

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), "warren-data-"));
});
afterEach(() => rmSync(path, { recursive: true }));

const task = { roomId: "harbour", password: null };

it("lets each of two runs of one command go on with what is its own", () => {
  const key = ["send", "a.txt"];
  const data = new DataFolder(path);
  const first = data.hold(key);
  data.saveTask(key, { ...task, profile: first.number });
  const second = data.hold(key);
  expect([first.number, second.number]).toEqual([1, 2]);
  data.saveTask(key, { ...task, profile: second.number, message: "theirs" });
  data.endTask(key, first);
  first.release();
  second.release();
  expect(data.tasks(key)).toEqual([{ ...task, profile: 2, message: "theirs" }]);
  const third = data.hold(key);
  expect(third.number).toBe(2);
  const fourth = data.hold(key);
  expect(fourth.number).toBe(1);
  for (const profile of [third, fourth]) profile.release();
});

it("forgets an old task, unless it stays", () => {
  const data = new DataFolder(path);
  data.saveTask(["send"], { ...task, profile: 1 });
  data.saveTask(["always"], { ...task, profile: 1, stays: true });
  const days = (count: number) => Date.now() / 1_000 - count * 24 * 60 * 60;
  const age = (count: number) => {
    for (const name of readdirSync(join(path, "tasks")))
      utimesSync(join(path, "tasks", name), 0, days(count));
  };
  age(29);
  expect(new DataFolder(path).tasks(["send"])).toHaveLength(1);
  age(31);
  const later = new DataFolder(path);
  expect([later.tasks(["send"]), later.tasks(["always"])]).toEqual([
    [],
    [{ ...task, profile: 1, stays: true }],
  ]);
});

it("lets one run of a command hold it, however long that runs", () => {
  const data = new DataFolder(path);
  const release = data.holdCommand(["always"]) ?? expect.fail();
  for (const name of readdirSync(join(path, "tasks"))) utimesSync(join(path, "tasks", name), 0, 0);
  const later = new DataFolder(path);
  expect(later.holdCommand(["always"])).toBeNull();
  expect(later.holdCommand(["always", "elsewhere"])).not.toBeNull();
  release();
  expect(later.holdCommand(["always"])).not.toBeNull();
});

it("deletes what killed runs had not written to the end, and nothing that may still be written", () => {
  const data = new DataFolder(path);
  mkdirSync(join(path, "profile-1"));
  const [old, fresh] = [crypto.randomUUID(), crypto.randomUUID()];
  const places = ["trusted.json", "tasks/0a1b-1", "profile-1/records"].map((name) => join(path, name));
  for (const place of places) for (const id of [old, fresh]) writeFileSync(`${place}.${id}`, "half");
  for (const place of places) utimesSync(`${place}.${old}`, 0, Date.now() / 1_000 - 2 * 60 * 60);
  const profile = new DataFolder(path).hold(null);
  expect(profile.folder).toBe(join(data.path, "profile-1"));
  const left = readdirSync(path, { recursive: true }).map(String);
  expect(left.filter((name) => name.endsWith(old))).toEqual([]);
  expect(left.filter((name) => name.endsWith(fresh))).toHaveLength(3);
  profile.release();
});
