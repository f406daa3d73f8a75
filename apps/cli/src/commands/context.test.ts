import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import type { Report } from "../terminal/report.ts";
import { CommandContext } from "./context.ts";

const folder = mkdtempSync(join(tmpdir(), "warren-context-"));
afterEach(() => rmSync(folder, { recursive: true }));

it("says that a second program is somebody else, unless it goes on as that", async () => {
  const line = vi.fn();
  const context = new CommandContext({
    options: {},
    operands: [],
    report: { line } as unknown as Report,
    streams: process,
    signal: new AbortController().signal,
    env: { XDG_DATA_HOME: folder },
  });
  const key = ["receive"];
  await context.withProfile(null, async () => {
    await context.withProfile(key, async ({ number }, task) => {
      expect([number, task, line.mock.calls.length]).toEqual([2, null, 1]);
      context.data.saveTask(key, { profile: number, roomId: "harbour", password: null });
    });
    await context.withProfile(key, async ({ number }, task) => {
      expect([number, task?.roomId]).toEqual([2, "harbour"]);
    });
  });
  expect(line).toHaveBeenCalledTimes(1);
});
