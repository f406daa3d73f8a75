import { act, cleanup, screen } from "@testing-library/react";
import type { FileMessage } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { clientIdOf, fakeFile, fakeStoredFile, fakeTransfer, me } from "../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../testing/fake-warren.ts";
import { fakeDevice, renderWithWarren } from "../testing/render-with-warren.tsx";
import { FileActions } from "./file-actions.tsx";
import { useAutomaticSaving } from "./use-automatic-saving.ts";

function Actions({ offer }: { readonly offer: FileMessage }) {
  return <FileActions message={offer} actions={["accept", "accept-and-save"]} onDelete={() => {}} />;
}

/** Renders an offer of Mara's with automatic saving. */
function Saving({ offer }: { readonly offer: FileMessage | null }) {
  useAutomaticSaving();
  return offer && <Actions offer={offer} />;
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
  fake.setLibrary(new Map([[fid, stored]]));
  fake.keepFile(fid, new File(["x"], fileName));
  act(() => fake.setTransfer(fakeTransfer(message, mara)));
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

it.each([
  ["Accept and save", ["plan.pdf"]],
  ["Accept", []],
])("saves a file accepted by %s: %j", async (verb, expected) => {
  const offer = fakeFile(mara, mara, { fileName: "plan.pdf" }, { state: "offered" }, 1);
  const { user } = showOffer(offer);
  await user.click(screen.getByRole("button", { name: `${verb}: plan.pdf` }));
  expect(fake.argsOf("acceptFile")).toEqual([[offer.key]]);
  pass(mara, "plan.pdf", offer);
  // A later file proves that nothing else is pending.
  fake.setOptions({ automaticDownload: true });
  pass(mara, "later.pdf");
  await expect.poll(() => saved).toEqual([...expected, "later.pdf"]);
});

it("saves a file that was accepted that way before this code had loaded, and after a reload", async () => {
  const offer = fakeFile(mara, mara, { fileName: "plan.pdf" }, { state: "offered" }, 1);
  const device = fakeDevice();
  const { user } = renderWithWarren(<Actions offer={offer} />, fake, { device });
  await user.click(screen.getByRole("button", { name: "Accept and save: plan.pdf" }));
  cleanup();
  renderWithWarren(<Saving offer={offer} />, fake, { device });
  pass(mara, "plan.pdf", offer);
  await expect.poll(() => saved).toEqual(["plan.pdf"]);
});

it("saves nothing that could not be accepted", async () => {
  fake.fail("acceptFile", new WarrenError("storage-failed", { reason: "x" }));
  const offer = fakeFile(mara, mara, { fileName: "plan.pdf" }, { state: "offered" }, 1);
  const { user } = showOffer(offer);
  await user.click(screen.getByRole("button", { name: "Accept and save: plan.pdf" }));
  expect(await screen.findByText(/This browser could not save data/)).toBeTruthy();
  pass(mara, "plan.pdf", offer);
  fake.setOptions({ automaticDownload: true });
  pass(mara, "later.pdf");
  await expect.poll(() => saved).toEqual(["later.pdf"]);
});
