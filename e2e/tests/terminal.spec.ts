import { createHash } from "node:crypto";
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { boundByPermissions, type Program, Stage } from "../../apps/cli/src/testing/program.ts";
import { boundOptions } from "../support/browser.ts";
import { expectReceived, messagesWith, openConversation, sendText } from "../support/conversation.ts";
import {
  attach,
  drop,
  fileCard,
  keepHere,
  savedSha256,
  savedZip,
  sha256OfFile,
  writeRandomFile,
} from "../support/files.ts";
import { FirefoxPerson } from "../support/firefox.ts";
import { test as base, expect } from "../support/fixtures.ts";
import { copyLink, joinByLink, startRoom } from "../support/room.ts";

/** Starts the program under the name Tess, with events as JSON. */
type Tess = (...args: readonly string[]) => Program;

const test = base.extend<{ readonly tess: Tess; readonly folder: (name: string) => Promise<string> }>({
  tess: async ({ server }, use) => {
    const stage = new Stage();
    const data = stage.person();
    const flags = ["--json", "--stun", "none", "--name", "Tess"];
    const start = { data, env: { WARREN_SERVER: server.url }, within: boundByPermissions };
    await use((...args) => stage.run([...args, ...flags], start));
    await stage.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright derives from the pattern that this fixture depends on no other
  folder: async ({}, use, testInfo) => {
    await use(async (name) => {
      const path = testInfo.outputPath(name);
      await mkdir(path, { recursive: true });
      return path;
    });
  },
});

test.use({ launchOptions: boundOptions });

const odd: Readonly<Record<string, string>> = {
  "é \u{1F430}.txt": "one",
  ".env": "two",
  "deep/er/-rf": "three",
  "deep/empty": "",
};

/** A folder with these files, a link that leads nowhere, and a file that may not be read. */
async function writeHarbour(folder: string): Promise<string> {
  const tree = join(folder, "Harbour");
  for (const [path, content] of Object.entries(odd)) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), content);
  }
  await symlink("/nowhere", join(tree, "broken"));
  await writeFile(join(tree, "secret"), "secret");
  await chmod(join(tree, "secret"), 0);
  return tree;
}

test("a terminal sends a file, what comes through a pipe, and nothing at all to Chromium, and ends once each is verified there", async ({
  newPerson,
  tess,
  folder,
}) => {
  const path = join(await folder("outgoing"), "noise.bin");
  const sha256 = await writeRandomFile(path, 8);
  const sender = tess("send", path);
  const bo = await newPerson({ name: "Bo" });
  const link = await sender.link();
  await joinByLink(bo, link);
  await openConversation(bo.page, "Tess");
  await keepHere(fileCard(bo.page, "noise.bin"));
  expect(await sender.exit()).toBe(0);
  expect(await sender.event("sent")).toMatchObject({ to: "Bo", name: "noise.bin" });
  expect(await savedSha256(bo.page, "noise.bin")).toBe(sha256);

  for (const [name, content] of [
    ["piped.bin", await readFile(path)],
    ["empty.bin", Buffer.alloc(0)],
  ] as const) {
    const piped = tess("send", "-", "--filename", name, "--room", link);
    piped.child.stdin?.end(content);
    await keepHere(fileCard(bo.page, name));
    expect(await piped.exit()).toBe(0);
    expect(await savedSha256(bo.page, name)).toBe(createHash("sha256").update(content).digest("hex"));
  }
});

test("a terminal sends a folder to Chromium without what it cannot, and a file that is refused ends with 2", async ({
  newPerson,
  tess,
  folder,
}) => {
  const tree = await writeHarbour(await folder("outgoing"));
  const bo = await newPerson({ name: "Bo" });
  const sender = tess("send", tree);
  const link = await sender.link();
  await joinByLink(bo, link);
  await openConversation(bo.page, "Tess");
  const card = fileCard(bo.page, "Harbour");
  await expect(card).toContainText("4 files");
  await keepHere(card);
  expect(await sender.exit()).toBe(0);
  const leftOut = sender.lines.filter(({ event }) => event === "left-out");
  expect(leftOut).toMatchObject([
    { path: join(tree, "broken"), reason: "link" },
    { path: join(tree, "secret"), reason: "unreadable" },
  ]);
  const saved = Object.entries(await savedZip(bo.page, "Harbour"));
  expect(Object.fromEntries(saved.map(([path, bytes]) => [path, Buffer.from(bytes).toString()]))).toEqual(
    Object.fromEntries(Object.entries(odd).map(([path, content]) => [`Harbour/${path}`, content])),
  );

  const unwanted = join(await folder("outgoing"), "unwanted.txt");
  await writeFile(unwanted, "unwanted");
  const refused = tess("send", unwanted, "--room", link);
  await fileCard(bo.page, "unwanted.txt").getByRole("button", { name: "Decline: unwanted.txt" }).click();
  expect(await refused.exit()).toBe(2);
});

test("a terminal receives a file, a folder and a text from Chromium, and leaves", async ({
  newPerson,
  tess,
  folder,
  room,
}) => {
  const [outgoing, incoming] = [await folder("outgoing"), await folder("incoming")];
  const tree = await writeHarbour(outgoing);
  const sha256 = await writeRandomFile(join(outgoing, "noise.bin"), 8);
  const ada = await newPerson({ name: "Ada" });
  await startRoom(ada, { room, password: "quiet Füchse & 7" });
  const link = await copyLink(ada);
  const first = tess("receive", link, "--yes", "--dir", incoming);
  await openConversation(ada.page, "Tess");
  await sendText(ada.page, "Here it comes");
  await expectReceived(ada.page, "Here it comes");
  await attach(ada.page, join(outgoing, "noise.bin"));
  expect(await first.exit()).toBe(0);
  expect(await first.event("text")).toMatchObject({ from: "Ada", text: "Here it comes" });
  await expect(fileCard(ada.page, "noise.bin")).toContainText("Received by Tess");
  expect(await sha256OfFile(join(incoming, "noise.bin"))).toBe(sha256);

  const second = tess("receive", link, "--yes", "--dir", incoming);
  await second.event("met");
  await drop(ada.page, [tree]);
  await expect(ada.page.getByText(/ could not be read and w(as|ere) left out/)).toBeVisible();
  await expect(ada.page.getByText(/\bsecret$/)).toBeVisible();
  expect(await second.exit()).toBe(0);
  for (const [path, content] of Object.entries(odd))
    expect(await readFile(join(incoming, "Harbour", path), "utf8")).toBe(content);
  expect((await readdir(join(incoming, "Harbour"))).sort()).toEqual([".env", "deep", "é \u{1F430}.txt"]);
  const isShown = (name: string) => !name.startsWith(".warren-parts-");
  expect((await readdir(incoming)).filter(isShown).sort()).toEqual(["Harbour", "noise.bin"]);

  const third = tess("receive", link, "--yes", "--dir", "-");
  await third.event("met");
  await attach(ada.page, join(outgoing, "noise.bin"));
  expect(await third.exit()).toBe(0);
  expect(createHash("sha256").update(third.stdout).digest("hex")).toBe(sha256);
});

test("a terminal and Chromium talk in a room", async ({ newPerson, tess, room }) => {
  const ada = await newPerson({ name: "Ada" });
  await startRoom(ada, { room });
  const talk = tess("room", await copyLink(ada));
  await talk.event("met");
  await openConversation(ada.page, "Everyone");
  talk.child.stdin?.write("Hello from a terminal\n");
  await expect(messagesWith(ada.page, "Hello from a terminal")).toBeVisible();
  await sendText(ada.page, "Hello from a page");
  await talk.event("text", ({ text }) => text === "Hello from a page");
  talk.child.stdin?.end("/quit\n");
  expect(await talk.exit()).toBe(0);
});

test("a terminal receives files from Firefox, and writes one into a pipe", async ({ tess, folder }) => {
  const [outgoing, incoming] = [await folder("outgoing"), await folder("incoming")];
  const sha256 = await writeRandomFile(join(outgoing, "noise.bin"), 8);
  for (const [path, content] of Object.entries(odd)) await writeFile(join(outgoing, basename(path)), content);
  const talk = tess("room", "--dir", incoming);
  const link = await talk.link();
  const fox = await FirefoxPerson.open();
  try {
    await fox.joinByLink(link, "Fox");
    await talk.event("met");
    await fox.waitForText("Tess");
    await fox.attach(join(outgoing, "noise.bin"));
    await talk.event("offer");
    talk.child.stdin?.write("/accept\n");
    await talk.event("received");
    expect(await sha256OfFile(join(incoming, "noise.bin"))).toBe(sha256);

    const names = Object.keys(odd).map((path) => basename(path));
    await fox.attach(...names.map((name) => join(outgoing, name)));
    await talk.event("offer", ({ name }) => name !== "noise.bin");
    talk.child.stdin?.write("/accept\n");
    await talk.event("received", ({ name }) => name !== "noise.bin");
    for (const [path, content] of Object.entries(odd))
      expect(await readFile(join(incoming, basename(path)), "utf8")).toBe(content);
    expect((await readdir(incoming)).sort()).toEqual([...names, "noise.bin"].sort());

    talk.child.stdin?.end("/quit\n");
    expect(await talk.exit()).toBe(0);
    const pipe = tess("receive", link, "--yes", "--dir", "-");
    await pipe.event("met");
    await fox.attach(join(outgoing, "noise.bin"));
    expect(await pipe.exit()).toBe(0);
    expect(createHash("sha256").update(pipe.stdout).digest("hex")).toBe(sha256);
  } finally {
    await fox.close();
  }
});
