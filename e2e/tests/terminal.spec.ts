import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Program, Stage } from "../../apps/cli/src/testing/program.ts";
import { expectReceived, messagesWith, openConversation, sendText } from "../support/conversation.ts";
import {
  attach,
  drop,
  fileCard,
  keepHere,
  savedSha256,
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
    await use((...args) => stage.run([...args, ...flags], { data, env: { WARREN_SERVER: server.url } }));
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

const odd: Readonly<Record<string, string>> = {
  "é \u{1F430}.txt": "one",
  ".env": "two",
  "deep/er/-rf": "three",
  "deep/empty": "",
};

test("a terminal sends a file to Chromium, which opens the link, and ends once it is verified there", async ({
  newPerson,
  tess,
  folder,
}) => {
  const path = join(await folder("outgoing"), "noise.bin");
  const sha256 = await writeRandomFile(path, 8);
  const sender = tess("send", path);
  const bo = await newPerson({ name: "Bo" });
  await joinByLink(bo, await sender.link());
  await openConversation(bo.page, "Tess");
  await keepHere(fileCard(bo.page, "noise.bin"));
  expect(await sender.exit()).toBe(0);
  expect(await sender.event("sent")).toMatchObject({ to: "Bo", name: "noise.bin" });
  expect(await savedSha256(bo.page, "noise.bin")).toBe(sha256);
});

test("a terminal sends a folder to Chromium without links, and a file that is refused ends with 2", async ({
  newPerson,
  tess,
  folder,
}) => {
  const tree = join(await folder("outgoing"), "Harbour");
  for (const [path, content] of Object.entries(odd)) {
    await mkdir(join(tree, path, ".."), { recursive: true });
    await writeFile(join(tree, path), content);
  }
  await symlink("/nowhere", join(tree, "broken"));
  const bo = await newPerson({ name: "Bo" });
  const sender = tess("send", tree);
  const link = await sender.link();
  await joinByLink(bo, link);
  await openConversation(bo.page, "Tess");
  const card = fileCard(bo.page, "Harbour");
  await expect(card).toContainText("4 files");
  await keepHere(card);
  expect(await sender.exit()).toBe(0);
  expect(await sender.event("left-out")).toMatchObject({ path: join(tree, "broken"), reason: "link" });

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
  const tree = join(outgoing, "Harbour");
  for (const [path, content] of Object.entries(odd)) {
    await mkdir(join(tree, path, ".."), { recursive: true });
    await writeFile(join(tree, path), content);
  }
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
  expect(await second.exit()).toBe(0);
  for (const [path, content] of Object.entries(odd))
    expect(await readFile(join(incoming, "Harbour", path), "utf8")).toBe(content);
  expect((await readdir(incoming)).sort()).toEqual(["Harbour", "noise.bin"]);
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

test("a terminal receives a file from Firefox", async ({ tess, folder }) => {
  test.setTimeout(240_000);
  const [outgoing, incoming] = [await folder("outgoing"), await folder("incoming")];
  const sha256 = await writeRandomFile(join(outgoing, "noise.bin"), 8);
  const talk = tess("room", "--dir", incoming);
  const fox = await FirefoxPerson.open();
  try {
    await fox.joinByLink(await talk.link(), "Fox");
    await talk.event("met");
    await fox.waitForText("Tess");
    await fox.attach(join(outgoing, "noise.bin"));
    await talk.event("offer");
    talk.child.stdin?.write("/accept\n");
    await talk.event("received");
    expect(await sha256OfFile(join(incoming, "noise.bin"))).toBe(sha256);
  } finally {
    await fox.close();
  }
});
