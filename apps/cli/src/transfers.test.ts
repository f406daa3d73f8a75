import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boundByPermissions, type Program, Stage, type Start, sha256Of } from "./testing/program.ts";

const mib = 1024 * 1024;

describe("files between two terminals", () => {
  const stage = new Stage();
  let url: string;
  let names = 0;
  beforeAll(async () => {
    ({ url } = await stage.server());
  });
  afterAll(() => stage.close());

  /** A new folder of this test. */
  const folder = (): string => {
    const path = join(stage.folder, `folder-${names++}`);
    mkdirSync(path);
    return path;
  };
  const send = (
    paths: readonly string[],
    start: Partial<Start> = {},
    flags: readonly string[] = [],
  ): Program =>
    stage.run(["send", ...paths, "--server", url, "--stun", "none", "--json", "--name", "Ann", ...flags], {
      data: stage.person(),
      ...start,
    });
  const receive = (link: string, dir: string, start: Partial<Start> = {}, flags = ["--yes"]): Program =>
    stage.run(["receive", link, "--dir", dir, "--stun", "none", "--json", "--name", "Ben", ...flags], {
      data: stage.person(),
      ...start,
    });
  const fileOf = (sizeBytes: number): string => {
    const path = join(folder(), "noise.bin");
    writeFileSync(path, randomBytes(sizeBytes));
    return path;
  };

  it("carry a file with its bytes, name, time and permissions, and both end", async () => {
    const path = fileOf(3 * mib + 17);
    utimesSync(path, 1_000_000, 1_000_000);
    chmodSync(path, 0o4750);
    const out = folder();
    const sender = send([path]);
    const receiver = receive(await sender.link(), out);
    expect([await sender.exit(), await receiver.exit()]).toEqual([0, 0]);
    const arrived = join(out, "noise.bin");
    expect(await sha256Of(arrived)).toBe(await sha256Of(path));
    expect(statSync(arrived)).toMatchObject({ mtimeMs: 1_000_000_000, mode: 0o100_750 & ~process.umask() });
    expect(readdirSync(out)).toEqual(["noise.bin"]);
    expect(await receiver.event("received")).toMatchObject({ from: "Ann", path: arrived, files: null });
    expect(await sender.event("sent")).toMatchObject({ to: "Ben", sizeBytes: 3 * mib + 17 });
  });

  it("carry an empty file, and one whose name is taken beside the other", async () => {
    const path = join(folder(), "empty.txt");
    writeFileSync(path, "");
    const out = folder();
    writeFileSync(join(out, "empty.txt"), "mine");
    const sender = send([path]);
    const receiver = receive(await sender.link(), out);
    expect([await sender.exit(), await receiver.exit()]).toEqual([0, 0]);
    expect(readFileSync(join(out, "empty.txt"), "utf8")).toBe("mine");
    expect(statSync(join(out, "empty (2).txt")).size).toBe(0);
  });

  it("carry a folder with odd names, and list what they leave out", async () => {
    const tree = join(folder(), "tree");
    mkdirSync(join(tree, "inner", "deep"), { recursive: true });
    mkdirSync(join(tree, "hollow"));
    const odd = ["ünï☃ code.txt", "-rf", ".hidden", "a'b$(x)&;.txt", "inner/deep/leaf"];
    for (const name of odd) writeFileSync(join(tree, name), `content of ${name}`);
    chmodSync(join(tree, "-rf"), 0o755);
    chmodSync(join(tree, ".hidden"), 0o604);
    writeFileSync(join(tree, "line\nbreak"), "1");
    writeFileSync(join(tree, "secret"), "1");
    chmodSync(join(tree, "secret"), 0);
    symlinkSync("/nowhere", join(tree, "broken"));
    const out = folder();
    const sender = send([tree], { within: boundByPermissions });
    const receiver = receive(await sender.link(), out);
    expect([await sender.exit(), await receiver.exit()]).toEqual([0, 0]);
    for (const name of odd) expect(readFileSync(join(out, "tree", name), "utf8")).toBe(`content of ${name}`);
    expect(readdirSync(join(out, "tree")).sort()).toEqual(
      ["-rf", ".hidden", "a'b$(x)&;.txt", "hollow", "inner", "linebreak", "ünï☃ code.txt"].sort(),
    );
    const modes = ["-rf", ".hidden"].map((name) => statSync(join(out, "tree", name)).mode & 0o777);
    expect(modes).toEqual([0o755, 0o604].map((bits) => bits & ~process.umask()));
    const leftOut = sender.lines
      .filter(({ event }) => event === "left-out")
      .map(({ path, reason }) => [path, reason]);
    expect(leftOut).toEqual([
      [join(tree, "broken"), "link"],
      [join(tree, "secret"), "unreadable"],
    ]);
  });

  it("carry what comes through a pipe into a pipe", async () => {
    const content = randomBytes(2 * mib);
    const sender = send(["-"], { stdin: content }, ["--filename", "noise"]);
    const receiver = receive(await sender.link(), "-");
    expect([await sender.exit(), await receiver.exit()]).toEqual([0, 0]);
    expect(receiver.stdout.equals(content)).toBe(true);
    expect(await receiver.event("offer")).toMatchObject({ name: "noise" });
  });

  it("write into a pipe while the file arrives, and end if nobody reads it any more", async () => {
    const path = fileOf(96 * mib);
    const sender = send([path]);
    const receiver = receive(await sender.link(), "-");
    await expect.poll(() => receiver.stdout.length, { timeout: 45_000 }).toBeGreaterThan(mib);
    expect(receiver.stdout.length).toBeLessThan(96 * mib);
    expect(receiver.stdout.equals(readFileSync(path).subarray(0, receiver.stdout.length))).toBe(true);
    receiver.child.stdout?.destroy();
    expect(await receiver.exit()).toBe(6);
    expect(await receiver.event("error")).toMatchObject({ message: "What read the output has gone." });
  });

  it("go on after the receiver was killed, by the same command", async () => {
    const path = fileOf(96 * mib);
    const out = folder();
    const data = stage.person();
    const sender = send([path]);
    const link = await sender.link();
    const first = receive(link, out, { data });
    await first.event("progress", ({ bytes }) => Number(bytes) > 4 * mib);
    await first.kill();
    expect(existsSync(join(out, "noise.bin"))).toBe(false);
    const second = receive(link, out, { data });
    const { bytes } = await second.event("progress", ({ bytes }) => Number(bytes) > 0);
    expect(Number(bytes)).toBeGreaterThan(4 * mib);
    expect([await sender.exit(), await second.exit()]).toEqual([0, 0]);
    expect(await sha256Of(join(out, "noise.bin"))).toBe(await sha256Of(path));
    expect(readdirSync(out)).toEqual(["noise.bin"]);
  });

  it("go on after the receiver was stopped, by the same command", async () => {
    const path = fileOf(96 * mib);
    const out = folder();
    const data = stage.person();
    const sender = send([path]);
    const link = await sender.link();
    const stopped = receive(link, out, { data });
    // Later it might be done before it is stopped.
    await stopped.event("offer");
    stopped.child.kill("SIGINT");
    expect(await stopped.exit()).toBe(6);
    expect(stopped.lines.filter(({ event }) => event === "lost")).toEqual([]);
    const again = receive(link, out, { data });
    expect([await sender.exit(), await again.exit()]).toEqual([0, 0]);
    expect(await sha256Of(join(out, "noise.bin"))).toBe(await sha256Of(path));
  });

  it("go on after the sender was killed, by the same command and link", async () => {
    const path = fileOf(96 * mib);
    const out = folder();
    const data = stage.person();
    const first = send([path], { data });
    const link = await first.link();
    const receiver = receive(link, out);
    await receiver.event("progress", ({ bytes }) => Number(bytes) > 4 * mib);
    await first.kill();
    const second = send([path], { data });
    expect([await second.link(), (await second.event("link")).resumed]).toEqual([link, true]);
    expect([await second.exit(), await receiver.exit()]).toEqual([0, 0]);
    expect(receiver.lines.filter(({ event }) => event === "offer")).toHaveLength(1);
    expect(await sha256Of(join(out, "noise.bin"))).toBe(await sha256Of(path));
  });

  it("end with 5 on both sides where the file has changed meanwhile, and the same commands begin anew", async () => {
    const path = fileOf(96 * mib);
    const out = folder();
    const [ann, ben] = [stage.person(), stage.person()];
    const first = send([path], { data: ann });
    const link = await first.link();
    const waiting = receive(link, out, { data: ben });
    await waiting.event("progress", ({ bytes }) => Number(bytes) > 4 * mib);
    await first.kill();
    writeFileSync(path, "shorter than it was");
    const changed = send([path], { data: ann });
    expect([await changed.exit(), await waiting.exit()]).toEqual([5, 5]);
    expect(await waiting.event("withdrawn")).toMatchObject({ from: "Ann", name: "noise.bin" });
    const again = send([path], { data: ann });
    expect(await again.link()).toBe(link);
    const receiver = receive(link, out, { data: ben });
    expect([await again.exit(), await receiver.exit()]).toEqual([0, 0]);
    expect(await sha256Of(join(out, "noise.bin"))).toBe(await sha256Of(path));
    expect(readdirSync(out)).toEqual(["noise.bin"]);
  });

  it("have a room each where one file is sent by two commands, which both go on", async () => {
    const path = fileOf(10);
    const data = stage.person();
    const senders = [send([path], { data }), send([path], { data })];
    const links = await Promise.all(senders.map((sender) => sender.link()));
    expect(new Set(links).size).toBe(2);
    for (const sender of senders) await sender.kill();
    const again = [send([path], { data }), send([path], { data })];
    expect((await Promise.all(again.map((sender) => sender.link()))).sort()).toEqual(links.sort());
    const receivers = links.map((link) => receive(link, folder()));
    expect(await Promise.all([...again, ...receivers].map((program) => program.exit()))).toEqual([
      0, 0, 0, 0,
    ]);
  });

  it("refuse a wrong password with 3, and go on waiting", async () => {
    const sender = send([fileOf(10)]);
    const link = await sender.link();
    const wrong = receive(link.replace(/#[^.]*/, "#wrong-password"), folder());
    expect(await wrong.exit()).toBe(3);
    expect(await wrong.event("error")).toMatchObject({ message: "Wrong password." });
    const none = receive(link.replace(/#.*/, ""), folder());
    expect(await none.exit()).toBe(3);
    expect(sender.child.exitCode).toBeNull();
  });

  it("end with 2 on both sides when the receiver refuses", async () => {
    const tree = join(folder(), "tree");
    mkdirSync(tree);
    writeFileSync(join(tree, "a"), "1");
    const sender = send([tree]);
    const receiver = receive(await sender.link(), "-");
    expect([await sender.exit(), await receiver.exit()]).toEqual([2, 2]);
    expect(await sender.event("refused")).toMatchObject({ by: "there", peer: "Ben" });
  });

  it("ask at a terminal before they take anything, and show how far they are", async () => {
    const path = fileOf(64 * mib);
    const out = folder();
    const sender = send([path]);
    const args = ["receive", await sender.link(), "--dir", out, "--stun", "none", "--name", "Ben"];
    const data = stage.person();
    const asked = async (): Promise<Program> => {
      const program = stage.run(args, { data, terminal: true });
      await expect.poll(() => String(program.stdout)).toContain("Receive it? [y/N]");
      expect(String(program.stdout)).toContain("Ann wants to send noise.bin (67.1 MB)");
      return program;
    };
    const stopped = await asked();
    stopped.child.stdin?.write("\u0003"); // Ctrl-C
    expect(await stopped.exit()).toBe(6);
    const receiver = await asked();
    expect(readdirSync(out).filter((name) => name === "noise.bin")).toEqual([]);
    receiver.child.stdin?.write("y\n");
    expect([await sender.exit(), await receiver.exit()]).toEqual([0, 0]);
    const shown = String(receiver.stdout);
    expect(shown).toMatch(/noise\.bin {2}[█░]{20} \d+ %/);
    expect(shown).toContain(`Received from Ann: ${join(out, "noise.bin")} (67.1 MB)`);
    expect(shown).not.toContain("\u001b[31m");
    // Who has sent everything leaves: that is no loss.
    expect(shown).not.toContain("is gone");
  });

  it("end with 6 when stopped, and say how to go on", async () => {
    const sender = send([fileOf(10)]);
    await sender.link();
    sender.child.kill("SIGINT");
    expect(await sender.exit()).toBe(6);
    expect(await sender.event("error")).toMatchObject({
      message: "Stopped. The same command goes on from here.",
    });
  });

  it("say what to type where a pipe is a terminal, and that it does not come again by itself", async () => {
    const sender = stage.run(["send", "-", "--server", url], { data: stage.person(), terminal: true });
    await expect.poll(() => String(sender.stdout)).toContain("Type what to send, and Ctrl-D");
    sender.child.stdin?.write("\u0003");
    expect(await sender.exit()).toBe(6);
    expect(String(sender.stdout)).toContain("Stopped. What came through the pipe has to come again.");
  });

  it("end with 6 when nobody reads their events any more", async () => {
    const sender = send([fileOf(10)]);
    const link = await sender.link();
    sender.child.stdout?.destroy();
    receive(link, folder());
    expect(await sender.exit()).toBe(6);
    expect(sender.stderr).toBe("");
  });
});

describe.concurrent("without another terminal", () => {
  const stage = new Stage();
  afterAll(() => stage.close());
  const run = (args: readonly string[], env?: Readonly<Record<string, string>>) =>
    stage.run(args, { data: stage.person(), ...(env && { env }) });

  it("a server that is not there ends with 4", async () => {
    const missing = run(["send", import.meta.filename, "--server", "http://127.0.0.1:9", "--json"]);
    expect(await missing.exit()).toBe(4);
    expect(await missing.event("error")).toMatchObject({
      message: "No Warren server answers there. `warren doctor` tells more.",
    });
  });

  it.each([
    [["receive", "http://127.0.0.1:9/r/a"], "Nobody can be asked here whether to receive: add --yes."],
    [["receive", "nonsense", "--yes"], "nonsense is no link to a room"],
    [["receive"], "Name one link"],
    [["send"], "Name what to send"],
    [["send", "/nowhere/at-all", "--server", "http://127.0.0.1:9"], "There is no /nowhere/at-all."],
    [["send", "-", "a"], "- cannot be sent together with files."],
    [["send", import.meta.filename], "Name the server with --server"],
    [["send", "a", "--nonsense"], "Unknown option '--nonsense'. `warren send --help` lists"],
    [["room", "http://127.0.0.1:9/r/a", "--name", " "], '" " is no name for others.'],
    [["room", "http://127.0.0.1:9/r/a", "--reach", "0"], "--reach 0: a number of seconds"],
    [["room", "http://127.0.0.1:9/r/a", "--stun", "http://a"], "http://a is no STUN server"],
    [["receive", "--always"], "Name whom to receive from"],
    [["receive", "--always", "--from", "Mara"], "Mara is not trusted here."],
    [["trust", "http://127.0.0.1:9/r/a"], "The link does not name who made it"],
    [["trust", "--remove", "Mara"], "Mara is not trusted here."],
    [["trust", "http://127.0.0.1:9/r/a", "--remove", "Mara"], "Name one link, or somebody with --remove."],
    [[], "Usage: warren COMMAND"],
    [["dance"], "There is no command dance."],
    [["help", "dance"], "There is no command dance."],
    [["serve", "x"], "serve takes no operands, such as x."],
    [["send", "a", "--to", ""], "--to needs a value."],
    [["send", "a", "--to", "Ben", "--keep"], "--keep sends to everybody, --to to one person"],
    [["send", "a", "--filename", "b"], "--filename goes with -."],
    [["send", "-", "--filename", "a/b"], '"a/b" is no name of a file.'],
    [
      ["receive", "http://127.0.0.1:9/r/a", "--yes", "--dir", import.meta.filename],
      `${import.meta.filename} is no folder.`,
    ],
  ])("%j is wrong usage", async (args, sentence) => {
    const wrong = run(args);
    expect(await wrong.exit()).toBe(1);
    expect(wrong.stderr).toContain(sentence);
    expect(wrong.stdout.length).toBe(0);
  });
});
