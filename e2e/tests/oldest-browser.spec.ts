import { newerGlobals } from "../../apps/web/build/newer-features.ts";
import { messagesWith, openConversation, sendText } from "../support/conversation.ts";
import { attach, fileCard, keepHere, savedSha256, writeRandomFile } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { meet } from "../support/room.ts";

/** A browser that supports trusted types enforces them, so these globals are kept. */
const removable = newerGlobals.filter((name) => !/^trusted/i.test(name));

/** Runs in the page before its code: removes globals that are newer than the oldest supported browsers. */
function makeOld(newer: readonly string[]): void {
  for (const name of newer) {
    const [owner = "", member] = name.split(".");
    if (member === undefined) {
      Reflect.deleteProperty(globalThis, owner);
      continue;
    }
    const holder: unknown = Reflect.get(globalThis, owner);
    if (typeof holder !== "function") continue;
    Reflect.deleteProperty(holder, member);
    if (typeof holder.prototype === "object") Reflect.deleteProperty(holder.prototype, member);
  }
}

test("texts with links and files are exchanged between browsers with only the minimum features", async ({
  newPerson,
  room,
}, testInfo) => {
  expect(newerGlobals).toContain("URL.canParse");
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  for (const { context } of [ada, bo]) await context.addInitScript(makeOld, removable);
  await meet([ada, bo], { room });
  expect(await ada.page.evaluate(() => "canParse" in URL)).toBe(false);

  await openConversation(ada.page, "Bo");
  await openConversation(bo.page, "Ada");
  await sendText(ada.page, "see https://warren.example/a and tell me");
  await expect(messagesWith(bo.page, "tell me").getByRole("link")).toHaveAttribute(
    "href",
    "https://warren.example/a",
  );

  const path = testInfo.outputPath("old.bin");
  const sha256 = await writeRandomFile(path, 2);
  await attach(ada.page, path);
  await keepHere(fileCard(bo.page, "old.bin"));
  await expect(fileCard(bo.page, "old.bin")).toContainText("Received");
  expect(await savedSha256(bo.page, "old.bin")).toBe(sha256);
});
