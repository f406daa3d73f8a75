import { type ChildProcess, fork, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { takeLock } from "./process-lock.ts";

const program = fileURLToPath(new URL("../testing/hold-lock.ts", import.meta.url));
let folder: string;
const processes: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "warren-lock-"));
});
afterEach(() => {
  for (const child of processes.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

const lockAt = (name: string): string => {
  mkdirSync(join(folder, name));
  return join(folder, name, "lock");
};

async function start(): Promise<ChildProcess> {
  const child = fork(program, { execArgv: ["--import", "tsx"] });
  processes.push(child);
  await once(child, "message");
  return child;
}

/** Lets each process take the lock at the same moment. @returns whether it has it */
async function race(children: readonly ChildProcess[], path: string): Promise<boolean[]> {
  const atMs = Date.now() + 10;
  return Promise.all(
    children.map(async (child) => {
      const answer = once(child, "message");
      child.send({ path, atMs });
      const [{ isHeld }] = (await answer) as [{ isHeld: boolean }];
      return isHeld;
    }),
  );
}

async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "close");
  return child.pid ?? 0;
}

it("is held by one process of several that find the lock of a dead one", async () => {
  const children = await Promise.all(Array.from({ length: 4 }, start));
  const pid = await deadProcess();
  for (let round = 0; round < 100; round++) {
    const path = lockAt(`round-${round}`);
    writeFileSync(path, `${pid} 1`);
    const held = await race(children, path);
    expect(held.filter(Boolean)).toHaveLength(1);
    expect(readdirSync(dirname(path))).toEqual(["lock"]);
  }
});

it("is free again once its holder was killed, and once it is released", async () => {
  const path = lockAt("one");
  const [first, second] = await Promise.all([start(), start()]);
  expect(await race([first], path)).toEqual([true]);
  expect(await race([second], path)).toEqual([false]);
  const killed = once(first, "close");
  first.kill("SIGKILL");
  await killed;
  expect(await race([second], path)).toEqual([true]);
  expect(takeLock(path)).toBeNull();
  const ended = once(second, "close");
  second.kill("SIGKILL");
  await ended;
  const release = takeLock(path);
  expect(takeLock(path)).toBeNull();
  release?.();
  expect(takeLock(path)).not.toBeNull();
});

it("has an heir of the heir where that one was killed before it wrote itself into the lock", async () => {
  const path = lockAt("one");
  const [child, other] = await Promise.all([start(), start()]);
  const pid = await deadProcess();
  writeFileSync(path, `${pid} 1`);
  const after = (holder: string) => `${path}.after-${createHash("sha256").update(holder).digest("hex")}`;
  writeFileSync(after(`${pid} 1`), `${pid} 2`);
  expect((await race([child, other], path)).filter(Boolean)).toHaveLength(1);
  expect(readdirSync(dirname(path))).toEqual(["lock"]);
});

it("counts a file of anything else as that of a dead process", () => {
  const path = lockAt("one");
  writeFileSync(path, "");
  expect(takeLock(path)).not.toBeNull();
});
