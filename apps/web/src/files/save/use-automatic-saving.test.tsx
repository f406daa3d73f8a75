import { act, cleanup, screen } from "@testing-library/react";
import type { FileMessage } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { WritableFile } from "../../platform/files/folder-on-disk.ts";
import { FakeTarget } from "../../testing/fake-folders.ts";
import { clientIdOf, fakeFile, fakeStoredFile, fakeTransfer, me } from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../../testing/render-with-warren.tsx";
import type { Platform } from "../../wiring/platform-context.ts";
import { FileActions } from "../card/file-actions.tsx";
import { useAcceptOffers } from "./use-accept-offers.ts";
import { useAutomaticSaving } from "./use-automatic-saving.ts";

function Actions({ offer }: { readonly offer: FileMessage }) {
  return <FileActions message={offer} actions={["accept", "decline"]} onDelete={() => {}} />;
}

/** Renders an offer of Mara's with automatic saving. */
function Saving({ offer }: { readonly offer: FileMessage | null }) {
  useAutomaticSaving();
  return offer && <Actions offer={offer} />;
}

/** As the button that accepts all offers. */
function SavingAll({ offers }: { readonly offers: readonly FileMessage[] }) {
  useAutomaticSaving();
  const acceptOffers = useAcceptOffers();
  return (
    <button type="button" onClick={() => void acceptOffers(offers, "save")}>
      all
    </button>
  );
}

const mara = clientIdOf(1);
let fake: FakeWarren;
let saved: string[];

beforeEach(() => {
  fake = fakeWarren();
  saved = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
});

afterEach(cleanup);

const showOffer = (offer: FileMessage | null = null) => renderWithWarren(<Saving offer={offer} />, fake);

/** Transfers a file between Mara and me. */
function pass(from: string, fileName: string, offer?: FileMessage): void {
  const stored = fakeStoredFile({ ...offer?.file, fileName });
  const { fid } = stored.description;
  const message = fakeFile(from, mara, stored.description, { state: "running" }, 1);
  act(() => fake.setTransfer(fakeTransfer(message, mara)));
  fake.keepFile(fid, new File(["x"], fileName));
  fake.setLibrary(new Map([[fid, stored]]));
  act(() => fake.setTransfer(fakeTransfer(message, mara, { now: { state: "complete" } })));
}

it("saves received files once if automatic download is on, but no sent ones", async () => {
  showOffer();
  fake.setOptions({ automaticDownload: true });
  pass(me, "mine.pdf");
  pass(mara, "theirs.pdf");
  await expect.poll(() => saved).toEqual(["theirs.pdf"]);
});

it("saves nothing automatically if it is off", async () => {
  showOffer();
  pass(mara, "before.pdf");
  fake.setOptions({ automaticDownload: true });
  pass(mara, "after.pdf");
  await expect.poll(() => saved).toEqual(["after.pdf"]);
});

const offered = (fileName: string) => fakeFile(mara, mara, { fileName }, { state: "offered" }, 1);
const button = (name: string) => screen.getByRole("button", { name });

/** A later file proves that nothing else is pending. */
async function expectSaved(...names: readonly string[]): Promise<void> {
  fake.setOptions({ automaticDownload: true });
  pass(mara, "later.pdf");
  await expect.poll(() => saved).toEqual([...names, "later.pdf"]);
}

it("saves a file that was accepted with Save, and keeps one that was accepted with Keep here", async () => {
  const offer = offered("plan.pdf");
  const { user } = showOffer(offer);
  await user.click(button("Save: plan.pdf"));
  expect(fake.argsOf("acceptFile")).toEqual([[offer.key]]);
  pass(mara, "plan.pdf", offer);
  cleanup();

  const kept = offered("kept.pdf");
  const again = showOffer(kept);
  await again.user.click(button("More: kept.pdf"));
  await again.user.click(await screen.findByRole("menuitem", { name: "Keep here" }));
  expect(fake.argsOf("acceptFile")).toEqual([[offer.key], [kept.key]]);
  pass(mara, "kept.pdf", kept);
  await expectSaved("plan.pdf");
});

it("keeps files with the first button where the option says so, and saves them from its menu", async () => {
  fake.setOptions({ keepReceived: true });
  const kept = offered("kept.pdf");
  const { user } = showOffer(kept);
  await user.click(button("Keep here: kept.pdf"));
  pass(mara, "kept.pdf", kept);
  cleanup();

  const offer = offered("plan.pdf");
  const again = showOffer(offer);
  await again.user.click(button("More: plan.pdf"));
  await again.user.click(await screen.findByRole("menuitem", { name: "Save" }));
  pass(mara, "plan.pdf", offer);
  await expectSaved("plan.pdf");
});

it("saves a file that was accepted that way before this code had loaded", async () => {
  const offer = offered("plan.pdf");
  const platform = fakePlatform();
  const { user } = renderWithWarren(<Actions offer={offer} />, fake, { platform });
  await user.click(button("Save: plan.pdf"));
  cleanup();
  renderWithWarren(<Saving offer={offer} />, fake, { platform });
  pass(mara, "plan.pdf", offer);
  await expect.poll(() => saved).toEqual(["plan.pdf"]);
});

it("saves a file that was complete when a page of this tab ended before it had saved it, once", async () => {
  const offer = offered("plan.pdf");
  const platform = fakePlatform();
  const { user } = renderWithWarren(<Actions offer={offer} />, fake, { platform });
  await user.click(button("Save: plan.pdf"));
  cleanup();
  fake.keepFile(offer.file.fid, new File(["x"], "plan.pdf"));
  renderWithWarren(<Saving offer={offer} />, fake, { platform });
  act(() => fake.setLibrary(new Map([[offer.file.fid, fakeStoredFile(offer.file)]])));
  await expectSaved("plan.pdf");
});

it("saves nothing that could not be accepted", async () => {
  fake.fail("acceptFile", new WarrenError("storage-failed", { reason: "x" }));
  const offer = offered("plan.pdf");
  const { user } = showOffer(offer);
  await user.click(button("Save: plan.pdf"));
  expect(await screen.findByText(/This browser could not save data/)).toBeTruthy();
  pass(mara, "plan.pdf", offer);
  await expectSaved();
});

describe("where the browser asks for the location", () => {
  const written = new Map<string, string>();
  const discarded: string[] = [];
  const target = (name: string): WritableFile => ({
    name,
    write: async (content) => void written.set(name, await content.text()),
    discard: async () => void discarded.push(name),
  });
  const showOn = (offer: FileMessage, platform: Partial<Platform>) =>
    renderWithWarren(<Saving offer={offer} />, fake, { platform: { ...fakePlatform(), ...platform } });

  beforeEach(() => written.clear());

  it("asks at the press, and writes the file there once it is complete", async () => {
    const offer = offered("plan.pdf");
    const asked: string[] = [];
    const { user } = showOn(offer, {
      pickTargetFile: async (name) => {
        asked.push(name);
        return target("my plan.pdf");
      },
    });
    await user.click(button("Save: plan.pdf"));
    await expect.poll(() => fake.argsOf("acceptFile")).toEqual([[offer.key]]);
    expect(asked).toEqual(["plan.pdf"]);
    expect(written.size).toBe(0);
    pass(mara, "plan.pdf", offer);
    await expect.poll(() => [...written]).toEqual([["my plan.pdf", "x"]]);
    await expect.poll(() => fake.argsOf("markSaved")).toEqual([[offer.file.fid, "my plan.pdf"]]);
    await expectSaved();
  });

  it("leaves no empty file there if the offer could not be accepted", async () => {
    fake.fail("acceptFile", new WarrenError("storage-failed"));
    const { user } = showOn(offered("plan.pdf"), { pickTargetFile: async () => target("my plan.pdf") });
    await user.click(button("Save: plan.pdf"));
    await expect.poll(() => discarded).toEqual(["my plan.pdf"]);
    expect(written.size).toBe(0);
  });

  it("writes files of one name, which are complete at once, beside each other", async () => {
    const target = new FakeTarget();
    const platform = { ...fakePlatform(), pickTargetFolder: async () => target };
    const offers = ["file-one", "file-two"].map((fid) =>
      fakeFile(mara, mara, { fid, fileName: "image.png" }, { state: "offered" }, 1),
    );
    const { user } = renderWithWarren(<SavingAll offers={offers} />, fake, { platform });
    await user.click(button("all"));
    await expect.poll(() => fake.argsOf("acceptFile")).toHaveLength(2);
    for (const offer of offers) pass(mara, "image.png", offer);
    await expect.poll(() => [...target.files.keys()]).toEqual(["image.png", "image (2).png"]);
  });

  it("accepts nothing if the picker is closed", async () => {
    const offer = offered("plan.pdf");
    const { user } = showOn(offer, { pickTargetFile: async () => null });
    await user.click(button("Save: plan.pdf"));
    // Keeping it needs no location, and comes after.
    await user.click(button("More: plan.pdf"));
    await user.click(await screen.findByRole("menuitem", { name: "Keep here" }));
    await expect.poll(() => fake.argsOf("acceptFile")).toEqual([[offer.key]]);
    pass(mara, "plan.pdf", offer);
    await expectSaved();
  });

  it("saves to the downloads if the browser refuses the picker", async () => {
    const offer = offered("plan.pdf");
    const { user } = showOn(offer, {
      pickTargetFile: () => Promise.reject(new DOMException("by policy", "SecurityError")),
    });
    await user.click(button("Save: plan.pdf"));
    await expect.poll(() => fake.argsOf("acceptFile")).toEqual([[offer.key]]);
    pass(mara, "plan.pdf", offer);
    await expectSaved("plan.pdf");
  });

  it("says so if the file could not be written", async () => {
    const offer = offered("plan.pdf");
    const write = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
    const { user } = showOn(offer, { pickTargetFile: async (name) => ({ ...target(name), write }) });
    await user.click(button("Save: plan.pdf"));
    await expect.poll(() => fake.argsOf("acceptFile")).toEqual([[offer.key]]);
    pass(mara, "plan.pdf", offer);
    expect(await screen.findByText("plan.pdf was not saved")).toBeTruthy();
    expect(fake.argsOf("markSaved")).toEqual([]);
  });
});
