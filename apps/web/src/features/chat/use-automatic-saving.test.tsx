import { act, cleanup } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { clientIdOf, fakeFile, fakeStoredFile, fakeTransfer, me } from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { useAutomaticSaving } from "./use-automatic-saving.ts";

function Saving() {
  useAutomaticSaving();
  return null;
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
  renderWithWarren(<Saving />, fake);
});

afterEach(cleanup);

/** A file passes between Mara and me. */
function pass(from: string, fileName: string): void {
  const stored = fakeStoredFile({ fileName });
  const { fid } = stored.description;
  const message = fakeFile(from, mara, stored.description, { status: "transferring" }, 1);
  fake.setLibrary({ [fid]: stored });
  fake.keepFile(fid, new File(["x"], fileName));
  act(() => fake.setTransfer(fakeTransfer(message, mara)));
  act(() => fake.setTransfer(fakeTransfer(message, mara, { state: { status: "complete", verified: true } })));
}

it("saves what has come where automatic download is on, once, and nothing that was sent", async () => {
  fake.setOptions({ automaticDownload: true });
  pass(me, "mine.pdf");
  pass(mara, "theirs.pdf");
  await expect.poll(() => saved).toEqual(["theirs.pdf"]);
});

it("saves nothing by itself where it is off", async () => {
  pass(mara, "before.pdf");
  fake.setOptions({ automaticDownload: true });
  pass(mara, "after.pdf");
  await expect.poll(() => saved).toEqual(["after.pdf"]);
});
