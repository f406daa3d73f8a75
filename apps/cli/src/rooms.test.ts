import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roomTagOf } from "../../../packages/core/src/room/room-tag.ts";
import { TestClient, testClientId } from "../../server/src/testing/test-client.ts";
import { mayChangeMachine } from "./testing/machine.ts";
import { type Program, Stage, sha256Of } from "./testing/program.ts";

const mib = 1024 * 1024;

describe("rooms in a terminal", () => {
  const stage = new Stage();
  let server: Awaited<ReturnType<Stage["server"]>>;
  beforeAll(async () => {
    server = await stage.server();
  });
  afterAll(() => stage.close());

  let folders = 0;
  const folder = (): string => {
    const path = join(stage.folder, `folder-${folders++}`);
    mkdirSync(path);
    return path;
  };
  const noise = (sizeBytes: number): string => {
    const path = join(folder(), "noise.bin");
    writeFileSync(path, randomBytes(sizeBytes));
    return path;
  };
  const run = (
    name: string,
    args: readonly string[],
    start: { readonly data?: string; readonly stdin?: string } = {},
  ): Program =>
    stage.run([...args, "--stun", "none", "--json", "--name", name], {
      data: start.data ?? stage.person(),
      env: { WARREN_SERVER: server.url },
      ...start,
    });

  it("carry lines and files both ways, and what was said last before leaving", async () => {
    const out = folder();
    const path = noise(1_000);
    const ann = run("Ann", ["room", "--dir", out]);
    const ben = run("Ben", ["room", await ann.link(), "--dir", folder()]);
    await Promise.all([ann.event("met"), ben.event("met")]);
    ann.child.stdin?.write("hello\n");
    expect(await ben.event("text")).toMatchObject({ from: "Ann", text: "hello" });
    ben.child.stdin?.write(`/send ${path}\n`);
    await ann.event("offer");
    ann.child.stdin?.write("/accept\n");
    expect(await ann.event("received")).toMatchObject({ from: "Ben", path: join(out, "noise.bin") });
    await ben.event("sent");
    ben.child.stdin?.end("\u001b[2Jbye\n");
    expect(await ann.event("text")).toMatchObject({ text: "\u001b[2Jbye" });
    expect(await ben.exit()).toBe(0);
    ann.child.stdin?.end("/quit\n");
    expect(await ann.exit()).toBe(0);
    expect(await sha256Of(join(out, "noise.bin"))).toBe(await sha256Of(path));
  });

  it("carry replies, reactions, edits and deletions both ways", async () => {
    const ann = run("Ann", ["room"]);
    const ben = run("Ben", ["room", await ann.link()]);
    await Promise.all([ann.event("met"), ben.event("met")]);
    const say = (person: Program, line: string) => person.child.stdin?.write(`${line}\n`);
    say(ann, "When?");
    expect(await ben.event("text")).toMatchObject({ number: 1, from: "Ann" });
    say(ann, "Where?");
    expect(await ben.event("text", ({ text }) => text === "Where?")).toMatchObject({ number: 2 });
    say(ben, "/reply At the pier");
    expect(await ann.event("text", ({ text }) => text === "At the pier")).toMatchObject({
      answers: { from: "Ann", text: "Where?" },
    });
    say(ben, "/reply #1 At five");
    expect(await ann.event("text", ({ text }) => text === "At five")).toMatchObject({
      number: 4,
      answers: { from: "Ann", text: "When?" },
    });
    const { number } = await ben.event("said", ({ text }) => text === "At the pier");
    say(ben, `/edit #${number} At the quay`);
    await ann.event("text", ({ edited, text }) => edited === true && text === "At the quay");
    say(ben, "/edit At six");
    expect(await ann.event("text", ({ text }) => text === "At six")).toMatchObject({
      edited: true,
      number: 4,
    });
    say(ann, "/react 👍");
    expect(await ben.event("reaction")).toMatchObject({
      from: "Ann",
      emoji: ["👍"],
      to: { from: "Ben", text: "At six" },
    });
    say(ann, "/react 👍");
    await ben.event("reaction", ({ emoji }) => Array.isArray(emoji) && emoji.length === 0);
    say(ben, "/react #1 🎉");
    expect(await ann.event("reaction")).toMatchObject({ from: "Ben", to: { from: "Ann", text: "When?" } });
    for (const wrong of ["/react", "/react fine", "/delete #1", "/edit #9 no", "/edit", "/delete it"])
      say(ben, wrong);
    ben.child.stdin?.end("/delete\n");
    expect(await ann.event("deleted")).toMatchObject({ from: "Ben", number: 4 });
    expect(await ben.exit()).toBe(0);
    ann.child.stdin?.end();
    expect(await ann.exit()).toBe(0);
    const changes = ann.lines.filter(({ event, edited }) => event === "deleted" || edited === true);
    expect(changes).toHaveLength(3);
  });

  it("tell a person at a terminal what each command did, and which there are", async () => {
    const ann = run("Ann", ["room"]);
    const args = ["room", await ann.link(), "--stun", "none", "--name", "Ben"];
    const ben = stage.run(args, { data: stage.person(), terminal: true });
    await ann.event("met");
    const shows = (text: string) =>
      expect.poll(() => String(ben.stdout), { timeout: 30_000 }).toContain(text);
    ann.child.stdin?.write("When?\n");
    await shows("#1 Ann: When?");
    for (const [line, answer] of [
      ["/help", "/react [#NUMBER] EMOJI"],
      ["/react fine", "Name one emoji: /react 👍"],
      ["/react 👍", 'Reacted to Ann ("When?").'],
      ["/reply At five", 'Answered Ann ("When?").'],
      ["/edit #1 Never", "#1 is not yours."],
      ["/edit #2 At six", 'Edited: "At five"'],
      ["/delete", 'Deleted: "At six"'],
      ["/delete #7", "There is no text #7."],
      ["/dance", "There is no /dance. /help lists the commands."],
    ] as const) {
      ben.child.stdin?.write(`${line}\n`);
      await shows(answer);
    }
    ann.child.stdin?.write("/react 🎉\n/delete\n");
    await shows("Ann deleted #1.");
    ann.child.stdin?.write("/quit\n");
    await shows("Ann is gone.");
    ben.child.stdin?.write("Anybody?\n");
    await shows("Nobody is here. It waits for others.");
    ben.child.stdin?.write("/quit\n");
    expect(await ben.exit()).toBe(0);
  });

  it("end with their input, also where that ended before they were in the room", async () => {
    const ann = run("Ann", ["room"]);
    const ben = run("Ben", ["room", await ann.link()]);
    ben.child.stdin?.end();
    expect(await ben.exit()).toBe(0);
    expect(ben.stderr).toBe("");
  });

  it("begin with what was said in earlier visits", async () => {
    const data = stage.person();
    const ann = run("Ann", ["room"]);
    const link = await ann.link();
    const first = run("Ben", ["room", link], { data });
    await Promise.all([ann.event("met"), first.event("met")]);
    ann.child.stdin?.write("hello\n");
    await first.event("text");
    first.child.stdin?.end("hello yourself\n");
    expect(await first.exit()).toBe(0);
    const again = run("Ben", ["room", link], { data });
    const { writtenAt } = await again.event("text", ({ text }) => text === "hello yourself");
    expect(Number(writtenAt)).toBeLessThan(Date.now());
    const heard = again.lines.filter(({ event }) => event === "text");
    expect(heard.map(({ from, text }) => `${from}: ${text}`)).toEqual(["Ann: hello", "Ben: hello yourself"]);
  });

  it("show what was said by somebody who has left, once another brings it", async () => {
    const data = stage.person();
    const ann = run("Ann", ["room"]);
    const link = await ann.link();
    const ben = run("Ben", ["room", link], { data });
    const carl = run("Carl", ["room", link]);
    for (const [here, ...others] of [
      [ann, "Ben", "Carl"],
      [ben, "Ann", "Carl"],
      [carl, "Ann", "Ben"],
    ] as const)
      for (const other of others) await here.event("met", ({ name }) => name === other);
    ben.child.stdin?.end();
    expect(await ben.exit()).toBe(0);
    ann.child.stdin?.write("at five\n");
    await carl.event("text");
    ann.child.stdin?.end();
    expect(await ann.exit()).toBe(0);
    const again = run("Ben", ["room", link], { data });
    expect(await again.event("text")).toMatchObject({ from: "Ann", text: "at five" });
    again.child.stdin?.end("at six\n");
    expect(await carl.event("text", ({ text }) => text === "at six")).toMatchObject({ from: "Ben" });
    expect(await again.exit()).toBe(0);
  });

  it("take everything from trusted people, nothing from others, and outlast the server", async () => {
    const [mara, nas, out] = [stage.person(), stage.person(), folder()];
    const talk = run("Mara", ["room"], { data: mara });
    const trusting = run("NAS", ["trust", await talk.link()], { data: nas });
    expect(await trusting.exit()).toBe(0);
    expect(await trusting.event("trusted")).toMatchObject({ name: "Mara" });
    talk.child.stdin?.end();
    await talk.exit();

    const receiver = run("NAS", ["receive", "--always", "--from", "Mara", "--dir", out], { data: nas });
    const link = await receiver.link();
    const twin = run("NAS", ["receive", "--always", "--from", "Mara", "--dir", out], { data: nas });
    expect(await twin.exit()).toBe(1);
    expect(await twin.event("error")).toMatchObject({
      message: `Another warren receives into ${out} already.`,
    });
    const beside = run("NAS", ["receive", "--always", "--from", "Mara", "--dir", folder()], { data: nas });
    expect(await beside.link()).not.toBe(link);
    await beside.kill();
    const first = run("Mara", ["send", noise(mib), "--room", link], { data: mara });
    expect(await first.exit(), JSON.stringify(receiver.lines)).toBe(0);

    const impostor = run("Mara", ["send", noise(10), "--room", link, "--reach", "3"]);
    expect([2, 4]).toContain(await impostor.exit());
    expect(await receiver.event("stranger")).toMatchObject({ name: "Mara" });
    await expect.poll(() => readdirSync(out)).toEqual(["noise.bin"]);

    await server.kill();
    await receiver.event("server", ({ status }) => status === "reconnecting");
    server = await stage.server({ port: server.port });
    await receiver.event("server", ({ status }) => status === "online");
    const again = run("Mara", ["send", noise(mib), "--room", link], { data: mara });
    expect(await again.exit()).toBe(0);
    await receiver.event("received", ({ path }) => path === join(out, "noise (2).bin"));

    receiver.child.kill("SIGTERM");
    expect(await receiver.exit()).toBe(0);
    const restarted = run("NAS", ["receive", "--always", "--from", "Mara", "--dir", out], { data: nas });
    expect(await restarted.link()).toBe(link);

    const removing = run("NAS", ["trust", "--remove", "Mara"], { data: nas });
    expect(await removing.exit()).toBe(0);
    const late = run("Mara", ["send", noise(10), "--room", link, "--reach", "3"], { data: mara });
    expect([2, 4]).toContain(await late.exit());
    expect(await restarted.event("stranger")).toMatchObject({ name: "Mara" });
    expect(readdirSync(out)).toHaveLength(2);
  });

  it("list whom a machine trusts, and remove one of them", async () => {
    const nas = stage.person();
    const trust = (...args: string[]) => stage.run(["trust", ...args], { data: nas });
    const talks = [run("Mara", ["room"]), run("Mara", ["room"]), run("Jon", ["room"])];
    const ids: unknown[] = [];
    for (const talk of talks) {
      const trusting = trust(await talk.link(), "--json", "--stun", "none");
      expect(await trusting.exit()).toBe(0);
      ids.push((await trusting.event("trusted")).id);
      await talk.kill();
    }
    const people = async () => {
      const listing = trust();
      expect(await listing.exit()).toBe(0);
      return listing.stdout.toString();
    };
    expect(await people()).toMatch(
      new RegExp(`^${ids[0]}  [-0-9]{10} [:0-9]{5}  Mara\n${ids[1]}  .* Mara\n${ids[2]}  .* Jon\n$`),
    );
    const both = trust("--remove", "Mara");
    expect(await both.exit()).toBe(1);
    expect(both.stderr).toContain("Several trusted people are called Mara");
    const removing = trust("--remove", String(ids[0]).slice(0, 8), "--json");
    expect(await removing.exit()).toBe(0);
    expect(removing.lines).toEqual([{ event: "distrusted", id: ids[0], name: "Mara" }]);
    const left = trust("--json");
    expect(await left.exit()).toBe(0);
    expect(left.lines).toMatchObject([
      { event: "trusted", id: ids[1], name: "Mara", since: expect.stringMatching(/^\d{4}-/) },
      { event: "trusted", id: ids[2], name: "Jon" },
    ]);
  });

  it("end with 4 when somebody who is there cannot be reached", async () => {
    const silent = await TestClient.open(server.port);
    await silent.hello(testClientId(1));
    await silent.join(roomTagOf("quiet"));
    const receiver = run("Ben", [
      "receive",
      `${server.url}/r/quiet`,
      "--yes",
      "--reach",
      "2",
      "--dir",
      folder(),
    ]);
    expect(await receiver.exit()).toBe(4);
    expect((await receiver.event("error")).message).toContain("There is no path to the other side");
    silent.socket.close();
  });

  it("ask for a name where several people are, and send to that one", async () => {
    const ann = run("Ann", ["room"]);
    const link = await ann.link();
    const ben = run("Ben", ["receive", link, "--yes", "--dir", folder()]);
    await ann.event("met");
    const nobody = run("Eve", ["send", noise(10), "--room", link]);
    expect(await nobody.exit()).toBe(1);
    expect((await nobody.event("error")).message).toContain("Name one with --to");
    expect(await ben.event("waiting", ({ from }) => from === "Ann")).toMatchObject({ for: "offer" });
    const sender = run("Eve", ["send", noise(10), "--room", link, "--to", "Ben"]);
    expect([await sender.exit(), await ben.exit()]).toEqual([0, 0]);
  });

  it("send to everybody who comes, with --keep", async () => {
    const sender = run("Ann", ["send", noise(100_000), "--keep"]);
    const link = await sender.link();
    for (const name of ["Ben", "Eve"]) {
      const receiver = run(name, ["receive", link, "--yes", "--dir", folder()]);
      expect(await receiver.exit()).toBe(0);
      await sender.event("sent", ({ to }) => to === name);
    }
    sender.child.kill("SIGINT");
    expect(await sender.exit()).toBe(0);
  });

  /** Uses a disk of so many MiB, of which 4 are taken. */
  async function onSmallDisk(
    sizeMib: number,
    use: (disk: string, resize: (sizeMib: number) => void) => Promise<void>,
  ): Promise<void> {
    const disk = folder();
    const mount = (options: string) => execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk]);
    mount(`size=${sizeMib}m`);
    try {
      writeFileSync(join(disk, "other"), Buffer.alloc(4 * mib));
      await use(disk, (now) => mount(`size=${now}m,remount`));
    } finally {
      execFileSync("umount", [disk]);
    }
  }

  it.runIf(mayChangeMachine)("wait in a room for space once the disk is full, and say so on both sides", () =>
    onSmallDisk(128, async (disk, resize) => {
      const sender = run("Ann", ["send", noise(96 * mib)]);
      const receiver = run("Ben", ["room", await sender.link(), "--dir", disk]);
      await sender.event("waiting", (line) => line.for === "answer" && line.from === "Ben");
      receiver.child.stdin?.write("/accept\n");
      const takenMib = () => {
        const { blocks, bfree, bsize } = statfsSync(disk);
        return ((blocks - bfree) * bsize) / mib;
      };
      await expect.poll(takenMib, { interval: 5, timeout: 30_000 }).toBeGreaterThan(5);
      resize(Math.ceil(takenMib()) + 2);
      await receiver.event("waiting", (line) => line.for === "space" && line.from === null);
      await sender.event("waiting", (line) => line.for === "space" && line.from === "Ben");
      for (const { child } of [sender, receiver]) child.kill("SIGINT");
      expect(await sender.exit()).toBe(6);
      await receiver.exit();
    }),
  );

  it.runIf(mayChangeMachine)("end with 5 on a full disk, and go on once there is space", () =>
    onSmallDisk(24, async (disk, resize) => {
      const path = noise(22 * mib);
      const data = stage.person();
      const sender = run("Ann", ["send", path]);
      const link = await sender.link();
      const first = run("Ben", ["receive", link, "--yes", "--dir", disk], { data });
      expect(await first.exit()).toBe(5);
      expect((await first.event("error")).message).toMatch(/space|disk/);
      resize(64);
      const second = run("Ben", ["receive", link, "--yes", "--dir", disk], { data });
      expect([await sender.exit(), await second.exit()]).toEqual([0, 0]);
      expect(await sha256Of(join(disk, "noise.bin"))).toBe(await sha256Of(path));
      expect(readdirSync(disk).sort()).toEqual(["noise.bin", "other"]);
    }),
  );
});

describe("the program by itself", () => {
  const stage = new Stage();
  afterAll(() => stage.close());
  const run = async (...args: string[]): Promise<string> => {
    const ran = stage.run(args, { data: stage.person() });
    expect([await ran.exit(), ran.stderr]).toEqual([0, ""]);
    return ran.stdout.toString();
  };

  it("tells its version, its commands and the options of each", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(await run("--version")).toBe(`${version}\n`);
    expect(await run("--help")).toContain("send PATH…");
    expect(await run("receive", "--help")).toContain("--overwrite");
    for (const line of `${await run("--help")}${await run("send", "--help")}`.split("\n"))
      expect(line.length, line).toBeLessThanOrEqual(80);
  });

  it("prints a manual page and completions from the same texts", async () => {
    const page = await run("man");
    expect(page).toContain('.TH WARREN 1 "" "warren');
    expect(page).toContain("\\-\\-overwrite");
    const script = await run("completion", "bash");
    const words = execFileSync("bash", [
      "-c",
      `${script}\nCOMP_WORDS=(warren se); COMP_CWORD=1; _warren; echo "\${COMPREPLY[@]}"`,
    ]);
    expect(String(words).trim()).toBe("send serve");
    for (const shell of ["zsh", "fish"]) expect(await run("completion", shell)).toContain("overwrite");
  });
});
