import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { TargetFolder } from "../files/target-folder.ts";
import { storageFor } from "./receive.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "warren-receive-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("finds what is not whole again by its profile, wherever that has moved to, and by its command", async () => {
  const target = new TargetFolder(join(folder, "out"), { overwrites: false });
  const partsOf = async (name: string, ...command: string[]) => {
    const profile = { number: 1, folder: join(folder, name), release: () => {} };
    mkdirSync(profile.folder, { recursive: true });
    return (await storageFor(target, profile, command)).bytesOf("file-0001");
  };
  const before = await partsOf("laptop", "receive");
  renameSync(join(folder, "laptop"), join(folder, "moved"));
  expect(await partsOf("moved", "receive")).toBe(before);
  expect(await partsOf("moved", "always")).not.toBe(before);
  expect(await partsOf("other", "receive")).not.toBe(before);
});
