// @vitest-environment happy-dom
import { optionsKey, ProfileService, pictureKey, profileKey, Settings } from "@warren/core";
import { expect, test } from "vitest";
import { localKeyValueStorage } from "../../platform/storage/web-storage.ts";
import { followOtherTabs } from "./follow-other-tabs.ts";

/** The services of a page on this browser's storage. */
function openTab() {
  const storage = localKeyValueStorage(() => {});
  const clientId = "00000000-0000-4000-8000-000000000001";
  return { settings: new Settings(storage), profile: new ProfileService(storage, clientId, 0) };
}

/** Dispatches the event that browsers send to a tab when another one writes. */
const changeInOtherTab = (key: string | null) => window.dispatchEvent(new StorageEvent("storage", { key }));

test("settings changed in another tab apply here at once, repaired as at startup, and are not written back", () => {
  const here = openTab();
  followOtherTabs(here);
  const there = openTab();
  there.settings.update({ compressionLevel: 0, enterSends: true });
  changeInOtherTab(optionsKey);
  expect(here.settings.get()).toMatchObject({ compressionLevel: 0, enterSends: true });

  const backgroundImage = "data:image/webp;base64,UklGRg==";
  there.settings.set("backgroundImage", backgroundImage);
  changeInOtherTab(pictureKey);
  expect(here.settings.get().backgroundImage).toBe(backgroundImage);

  const spoilt = JSON.stringify({ compressionLevel: "high", enterSends: true });
  localStorage.setItem(optionsKey, spoilt);
  changeInOtherTab(optionsKey);
  expect(here.settings.get()).toMatchObject({ compressionLevel: 6, enterSends: true });
  expect(localStorage.getItem(optionsKey)).toBe(spoilt);

  localStorage.clear();
  changeInOtherTab(null);
  expect(here.settings.get().enterSends).toBe(false);
});

test("a name changed in another tab applies here, but the room stays this tab's", () => {
  const here = openTab();
  followOtherTabs(here);
  const { roomId } = here.profile.get();
  openTab().profile.update({ name: "Mara", roomId: "elsewhere", autoJoin: true });
  changeInOtherTab(profileKey);
  expect(here.profile.get()).toMatchObject({ name: "Mara", autoJoin: true, roomId });

  localStorage.setItem(profileKey, '{"name":7}');
  changeInOtherTab(profileKey);
  expect(here.profile.get().name).toBe("Mara");
});
