import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import { expectNoViolations } from "../support/accessibility.ts";
import { drop, fileCard, keepHere, savedZip } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { drawPng } from "../support/pictures.ts";
import { meet } from "../support/room.ts";

/** Files by path, including paths that some disks reject. */
const odd: Readonly<Record<string, string>> = {
  "a/deep/er/x.txt": "a/deep/er/x.txt",
  "日本/é \u{1F430}.txt": "日本/é \u{1F430}.txt",
  ".env": ".env",
  "no extension": "no extension",
  "Case.txt": "Case.txt",
  "case.txt": "case (2).txt",
  "con.txt": "_con.txt",
  "what?.txt": "what_.txt",
  "a/trailing. ": "a/trailing",
};
const emptyFolders = ["void", "a/void"];

async function writeFiles(folder: string, contents: ReadonlyMap<string, Buffer>): Promise<void> {
  for (const [path, content] of contents) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

test("a folder with odd names and empty folders is dropped, received, and saved as a zip byte for byte", async ({
  newPerson,
  room,
}, testInfo) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  const folder = testInfo.outputPath("Location scouting");
  const large = Buffer.alloc(3 * 1024 ** 2, "not so small ");
  const contents = new Map(Object.keys(odd).map((path, index) => [path, Buffer.from(`${index} at ${path}`)]));
  await writeFiles(folder, contents.set("a/large.bin", large));
  for (const path of emptyFolders) await mkdir(join(folder, path), { recursive: true });
  await meet([ada, bo], { room });

  await drop(ada.page, [folder]);
  const adasCard = fileCard(ada.page, "Location scouting");
  const bosCard = fileCard(bo.page, "Location scouting");
  await expect(bosCard).toContainText("10 files in 6 folders, 3.15 MB");
  await expect(adasCard).toContainText("Waiting for Bo to accept");

  await bosCard.getByRole("button", { name: "Show files: Location scouting" }).click();
  const tree = bosCard.getByRole("tree", { name: "Files in Location scouting" });
  await expect(tree.getByRole("treeitem", { name: /^Case\.txt/ })).toBeVisible();
  await tree.focus();
  for (const key of ["ArrowDown", "Home", "ArrowRight"]) await tree.press(key);
  await expect(tree.getByRole("treeitem", { name: "deep" })).toBeVisible();
  await expect(tree.getByRole("button", { name: /^Save/ })).toHaveCount(0);
  await expectNoViolations(bo.page, "a folder that is offered, opened");

  await keepHere(bosCard);
  await expect(bosCard).toContainText("Received");
  await expect(adasCard).toContainText("Received by Bo");

  const found = await savedZip(bo.page, "Location scouting");
  const files = [...contents].map(([path, content]) => [odd[path] ?? path, content] as const);
  expect(Object.keys(found).sort()).toEqual(
    [...files.map(([path]) => path), ...emptyFolders.map((path) => `${path}/`)]
      .map((path) => `Location scouting/${path}`)
      .sort(),
  );
  for (const [path, content] of files)
    expect(Buffer.compare(found[`Location scouting/${path}`] ?? Buffer.alloc(0), content)).toBe(0);

  const downloading = bo.page.waitForEvent("download");
  await tree.getByRole("button", { name: "Save case (2).txt" }).click();
  const download = await downloading;
  expect(await readFile(await download.path(), "utf8")).toBe("5 at case.txt");
});

test("two hundred files in one drop arrive as one, and each can be saved separately", async ({
  newPerson,
  room,
}, testInfo) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  const names = Array.from({ length: 200 }, (_, index) => `note ${index}.txt`);
  const folder = testInfo.outputPath("notes");
  await writeFiles(folder, new Map(names.map((name) => [name, Buffer.from(`this is ${name}`)])));
  await meet([ada, bo], { room });

  await drop(
    ada.page,
    names.map((name) => join(folder, name)),
  );
  const card = fileCard(bo.page, "note 0.txt and 199 more");
  await expect(card).toHaveCount(1);
  await keepHere(card);
  await expect(card).toContainText("Received");

  const found = await savedZip(bo.page, "note 0.txt and 199 more");
  expect(Object.keys(found).sort()).toEqual([...names].sort());
  for (const name of names) expect(Buffer.from(found[name] ?? []).toString()).toBe(`this is ${name}`);
});

test("pictures in one drop are shown in their card, and one preview pages through them", async ({
  newPerson,
  room,
}, testInfo) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo", hasTouch: true });
  const names = Array.from({ length: 9 }, (_, index) => `photo-${index + 1}.png`);
  const picture = (index: number) => drawPng(48, 36, (x) => [x * 5, 100 + index * 10, 120]);
  const folder = testInfo.outputPath("photos");
  await writeFiles(folder, new Map(names.map((name, index) => [name, picture(index)])));
  await meet([ada, bo], { room });

  await drop(
    ada.page,
    names.map((name) => join(folder, name)),
  );
  const pictures = (page: Page) => page.getByRole("list", { name: "9 pictures" }).getByRole("presentation");
  await expect(pictures(ada.page)).toHaveCount(6);
  await keepHere(fileCard(bo.page, "9 pictures"));
  await expect(pictures(bo.page)).toHaveCount(6);
  await expectNoViolations(bo.page, "pictures in one drop");

  await bo.page.getByRole("button", { name: "Preview: photo-6.png, 3 more pictures" }).click();
  for (const [index, name] of names.entries()) {
    if (index < 5) continue;
    const dialog = bo.page.getByRole("dialog", { name });
    await expect(dialog.getByRole("img", { name })).toBeVisible();
    await expect(dialog).toContainText(`${index + 1} of 9`);
    if (name !== names.at(-1)) await bo.page.keyboard.press("ArrowRight");
  }
  const last = bo.page.getByRole("dialog", { name: "photo-9.png" });
  await last.getByRole("img").evaluate((image) => {
    const { left, top, width, height } = image.getBoundingClientRect();
    const at = (clientX: number) => ({
      ...{ bubbles: true, pointerType: "touch", isPrimary: true, clientX, clientY: top + height / 2 },
    });
    image.dispatchEvent(new PointerEvent("pointerdown", at(left + width / 2)));
    image.dispatchEvent(new PointerEvent("pointerup", at(left + width / 2 + 120)));
  });
  await expect(bo.page.getByRole("dialog", { name: "photo-8.png" }).getByRole("img")).toBeVisible();
});
