import { writeFile } from "node:fs/promises";
import {
  attach,
  fileCard,
  keepHere,
  savedSha256,
  sha256OfFile,
  writeLogFile,
  writeRandomFile,
  zstdAddress,
} from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { recordConnections, sentMib } from "../support/recorded-connections.ts";
import { meet } from "../support/room.ts";

const transferTimeoutMs = 180_000;

test("a file of 24 MiB is offered, accepted and received byte for byte", async ({
  newPerson,
  room,
}, testInfo) => {
  test.setTimeout(360_000);
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meet([ada, bo], { room });
  const path = testInfo.outputPath("recording.bin");
  const sent = await writeRandomFile(path, 24);

  await attach(ada.page, path);
  const adasCard = fileCard(ada.page, "recording.bin");
  const bosCard = fileCard(bo.page, "recording.bin");
  await expect(adasCard).toContainText("Waiting for Bo to accept");
  await expect(bosCard).toContainText("25.2 MB");
  await keepHere(bosCard);

  await expect(bosCard).toContainText("Received", { timeout: transferTimeoutMs });
  await expect(adasCard).toContainText("Received by Bo");

  const downloading = bo.page.waitForEvent("download");
  await bosCard.getByRole("button", { name: "Save: recording.bin" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("recording.bin");
  expect(await sha256OfFile(await download.path())).toBe(sent);
});

test("Save asks at once where a file goes, and writes it there once it is complete", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo", asksWhereToSave: true });
  await meet([ada, bo], { room });
  const written = () =>
    bo.page.evaluate(async () => {
      const folder = await navigator.storage.getDirectory();
      const file = await folder.getFileHandle("tides.txt").catch(() => null);
      return file && (await file.getFile()).text();
    });
  const downloads: string[] = [];
  bo.page.on("download", (download) => downloads.push(download.suggestedFilename()));
  const buffer = Buffer.from("high 09:12, low 15:20");
  await attach(ada.page, { name: "tides.txt", mimeType: "text/plain", buffer });
  const card = fileCard(bo.page, "tides.txt");
  await expect(card).toContainText("21 B");
  expect(await written()).toBeNull();
  await card.getByRole("button", { name: "Save: tides.txt" }).click();
  await expect(card).toContainText("Saved");
  expect(await written()).toBe("high 09:12, low 15:20");
  expect(downloads).toEqual([]);
});

test("a file that the browser saves under another name says so, and can be saved to a folder under its own", async ({
  newPerson,
  room,
}, testInfo) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  // A test cannot choose in the browser's own picker.
  await bo.page.addInitScript(() =>
    Object.assign(window, { showDirectoryPicker: () => navigator.storage.getDirectory() }),
  );
  await meet([ada, bo], { room });
  const path = testInfo.outputPath(".gitignore");
  await writeFile(path, "dist");
  await attach(ada.page, path);
  const card = fileCard(bo.page, ".gitignore");
  const saving = bo.page.waitForEvent("download");
  await card.getByRole("button", { name: /^Save:/ }).click();
  expect((await saving).suggestedFilename()).toBe("gitignore");
  await expect(card).toContainText("Saved as gitignore");
  await bo.page.getByRole("button", { name: "Save to a folder" }).click();
  await expect(bo.page.getByText(".gitignore is saved")).toBeVisible();
  const written = () =>
    bo.page.evaluate(async () => {
      const folder = await navigator.storage.getDirectory();
      return (await (await folder.getFileHandle(".gitignore")).getFile()).text();
    });
  expect(await written()).toBe("dist");
  await expect(card).toContainText("Saved");
  await expect(card).not.toContainText("Saved as");
});

test("a log of 16 MiB arrives byte for byte with less than half its size sent, by a compression library fetched on demand", async ({
  newPerson,
  room,
}, testInfo) => {
  test.setTimeout(360_000);
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await recordConnections(ada.page);
  await meet([ada, bo], { room });
  const loaded = () => [ada, bo].map(({ requests }) => requests.some((address) => zstdAddress.test(address)));
  expect(loaded()).toEqual([false, false]);
  const path = testInfo.outputPath("server.log");
  const sent = await writeLogFile(path, 16);

  await attach(ada.page, path);
  const bosCard = fileCard(bo.page, "server.log");
  await keepHere(bosCard);
  await expect(bosCard).toContainText("Received", { timeout: transferTimeoutMs });

  expect(await savedSha256(bo.page, "server.log")).toBe(sent);
  // The receiver loads it for the first compressed chunk.
  await expect.poll(loaded).toEqual([true, true]);
  const movedMib = (await sentMib(ada.page)).reduce((sum, mib) => sum + mib, 0);
  expect(movedMib).toBeLessThan(8);
});

test("a declined file is not sent, and both sides show that", async ({ newPerson, room }) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meet([ada, bo], { room });

  await attach(ada.page, { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("not today") });
  await fileCard(bo.page, "notes.txt").getByRole("button", { name: "Decline: notes.txt" }).click();

  await expect(fileCard(ada.page, "notes.txt")).toContainText("Declined by Bo");
  await expect(fileCard(bo.page, "notes.txt")).toContainText("Declined by you");
  await expect(fileCard(bo.page, "notes.txt")).not.toContainText(/Received|Saved/);
  await expect(
    fileCard(bo.page, "notes.txt").getByRole("button", { name: "Get it after all: notes.txt" }),
  ).toBeVisible();
});
