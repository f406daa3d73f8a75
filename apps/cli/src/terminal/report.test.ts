import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { exitCodes } from "./exit-code.ts";
import { Report, type ReportStreams } from "./report.ts";

/** A question at a terminal, and what a person types there. */
async function answered(typed: string): Promise<boolean> {
  const [stdin, stderr] = [0, 1].map(() => Object.assign(new PassThrough(), { isTTY: true, columns: 80 }));
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGINT", stop);
  try {
    const streams = { stdin, stdout: stderr, stderr } as unknown as ReportStreams;
    const report = new Report(streams, { json: false, stdoutIsData: false, noColor: true, isAscii: false });
    const answer = report.confirm("Receive it?", stopping.signal);
    stdin?.write(typed);
    return await answer;
  } finally {
    process.off("SIGINT", stop);
  }
}

it.each([
  ["y\r", true],
  ["Yes\r", true],
  ["\r", false],
  ["maybe\r", false],
  ["\u0004", false], // Ctrl-D
])("reads %j as an answer: %s", async (typed, isYes) => {
  expect(await answered(typed)).toBe(isYes);
});

it("takes Ctrl-C for no answer, but ends the program", async () => {
  await expect(answered("\u0003")).rejects.toMatchObject({ exitCode: exitCodes.interrupted });
});

it("asks no longer once nobody needs the answer", async () => {
  const [stdin, stderr] = [0, 1].map(() => Object.assign(new PassThrough(), { isTTY: true, columns: 80 }));
  const streams = { stdin, stdout: stderr, stderr } as unknown as ReportStreams;
  const report = new Report(streams, { json: false, stdoutIsData: false, noColor: true, isAscii: false });
  const over = new AbortController();
  const answer = report.confirm("Receive it?", new AbortController().signal, over.signal);
  over.abort();
  expect(await answer).toBe(false);
  stderr?.read();
  report.line("Ann withdrew it.");
  expect(String(stderr?.read())).toBe("Ann withdrew it.\n");
});

/** What a terminal of so many columns shows of a report. */
function shown(columns: number, isAscii: boolean, act: (report: Report) => void): string {
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns });
  const streams = { stdin: stderr, stdout: stderr, stderr } as unknown as ReportStreams;
  act(new Report(streams, { json: false, stdoutIsData: false, noColor: true, isAscii }));
  return String(stderr.read() ?? "");
}

const mib = 1024 * 1024;

it.each([
  [80, false, "a long name.bin  █████░░░░░░░░░░░░░░░ 25 %  1.05 MB/s  0:03 left"],
  [80, true, "a long name.bin  #####--------------- 25 %  1.05 MB/s  0:03 left"],
  [60, false, "a long na…  █████░░░░░░░░░░░░░░░ 25 %  1.05 MB/s  0:03 left"],
  [59, false, "a long name.bin  █████░░░░░░░░░░░░░░░ 25 %  1.05 MB/s"],
  [40, false, "a long name…  █████░░░░░░░░░░░░░░░ 25 %"],
  [12, false, "a long nam…"],
])("fits the progress into %i columns (ASCII: %s)", (columns, isAscii, bar) => {
  const item = { name: "a long name.bin", sizeBytes: 4 * mib, files: null };
  const transfer = { transferredBytes: mib, totalBytes: 4 * mib, bytesPerSecond: mib, secondsLeft: 3 };
  const line = shown(columns, isAscii, (report) => report.progress(item, transfer));
  expect(line).toBe(`\r\x1b[K${bar}`);
  expect(bar.length).toBeLessThan(columns);
});

it.each([
  [100, "many  ██████████░░░░░░░░░░ 50 %"],
  [200, "many  ████████████████████ 100 %  writing to disk"],
])("counts the list of a folder in, which may be longer than its files: %i of 200 bytes", (stored, bar) => {
  const item = { name: "many", sizeBytes: 20, files: 40 };
  const transfer = { transferredBytes: stored, totalBytes: 200, bytesPerSecond: null, secondsLeft: null };
  expect(shown(80, false, (report) => report.progress(item, transfer))).toBe(`\r\x1b[K${bar}`);
});

it("shows a picture only where there is space for it, and blocks", () => {
  const picture = (columns: number, isAscii: boolean) =>
    shown(columns, isAscii, (report) => report.picture("█▀▀█\n▀▀▀▀"));
  expect([picture(4, false), picture(3, false), picture(4, true)]).toEqual(["█▀▀█\n▀▀▀▀\n", "", ""]);
});

it("shows a picture in black on white, where colours are wanted", () => {
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const streams = { stdin: stderr, stdout: stderr, stderr } as unknown as ReportStreams;
  new Report(streams, { json: false, stdoutIsData: false, noColor: false, isAscii: false }).picture("█▀\n▀█");
  expect(String(stderr.read())).toBe("\x1b[30;107m█▀\x1b[0m\n\x1b[30;107m▀█\x1b[0m\n");
});

it("begins the line anew on which a terminal has shown Ctrl-C", () => {
  const event = {
    event: "error",
    code: "command",
    message: "Stopped.",
    exitCode: exitCodes.interrupted,
  } as const;
  expect(shown(80, false, (report) => report.event(event))).toBe("\r\x1b[KStopped.\n");
});

it("keeps what a person types below what is reported meanwhile", async () => {
  const [stdin, stderr] = [0, 1].map(() => Object.assign(new PassThrough(), { isTTY: true, columns: 80 }));
  const streams = { stdin, stdout: stderr, stderr } as unknown as ReportStreams;
  const report = new Report(streams, { json: false, stdoutIsData: false, noColor: true, isAscii: false });
  const answer = report.confirm("Receive it?", new AbortController().signal);
  stdin?.write("ye");
  await expect.poll(() => String(stderr?.read() ?? "")).toMatch(/e$/);
  report.line("Ann is gone.");
  expect(String(stderr?.read())).toBe("\r\x1b[JAnn is gone.\nReceive it? [y/N] ye");
  stdin?.write("s\r");
  expect(await answer).toBe(true);
  stderr?.read();
  report.line("That was all.");
  expect(String(stderr?.read())).toBe("That was all.\n");
});
