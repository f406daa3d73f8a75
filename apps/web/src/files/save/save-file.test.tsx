import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { toast } from "../../wiring/toast.ts";
import { Toaster } from "../../wiring/toaster.tsx";
import { saveFiles } from "./save-file.ts";

const files = ["a.pdf", "b.pdf"].map((name) => new File([name], name, { type: "application/pdf" }));
const namesOf = (some: readonly File[]): readonly string[] => some.map(({ name }) => name);

/** A browser whose share sheet answers in turn: true if the files were taken, false if it was closed, or an error. */
function browser(...answers: readonly (boolean | DOMException)[]) {
  const share = vi.fn(async (_files: readonly File[]): Promise<boolean> => {
    const answer = answers[share.mock.calls.length - 1];
    if (answer === undefined || answer instanceof DOMException) throw answer ?? new Error("asked too often");
    return answer;
  });
  return { savesBySharing: true, shareFiles: share, pickTargetFolder: null, share };
}

const saved: string[] = [];
const note = ({ name }: File): void => void saved.push(name);
const saveButton = () => screen.findByRole("button", { name: "Save" });

beforeEach(() => {
  saved.length = 0;
  render(<Toaster narrow={false} label="Notifications" />);
});
afterEach(() => {
  toast.dismiss();
  cleanup();
});

test("saves to the downloads one file after the other, and notes each", async () => {
  const downloads: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    downloads.push(this.download);
  });
  await saveFiles(files, { savesBySharing: false, shareFiles: null, pickTargetFolder: null }, ({ name }) => {
    downloads.push(`noted ${name}`);
  });
  expect(downloads).toEqual(["a.pdf", "noted a.pdf", "b.pdf", "noted b.pdf"]);
});

test("offers all files that the browser renames in one note, and saves them under their own names", async () => {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue("Mozilla/5.0 Chrome/150.0.0.0 Safari/537.36");
  const downloads: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    downloads.push(this.download);
  });
  const dotfiles = [".gitignore", ".npmrc", ".npmrc"].map((name, index) => new File([`${index}`], name));
  const platform = { savesBySharing: false, shareFiles: null, pickTargetFolder: null };
  await act(() => saveFiles(dotfiles, platform, note));
  expect(await screen.findByText("The browser saved 3 files under other names")).toBeTruthy();
  expect(screen.queryByText(/The browser saved \./)).toBeNull();
  downloads.length = 0;
  await userEvent.click(screen.getByRole("button", { name: "Save as zip" }));
  await vi.waitFor(() => expect(downloads).toEqual([".gitignore.zip"]));
  await vi.waitFor(() => expect(saved).toHaveLength(6));
});

describe("a home-screen app without downloads", () => {
  test("hands all files to one share sheet", async () => {
    const platform = browser(true);
    await saveFiles(files, platform, note);
    expect(platform.share.mock.calls.map(([shared]) => namesOf(shared))).toEqual([["a.pdf", "b.pdf"]]);
    expect(saved).toEqual(["a.pdf", "b.pdf"]);
  });

  test("does not count files as saved when the sheet is closed", async () => {
    await saveFiles(files, browser(false), note);
    expect(saved).toEqual([]);
    expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
  });

  test.each([
    ["the tap is too long ago", "NotAllowedError"],
    ["another sheet is open", "InvalidStateError"],
  ])("asks for a fresh tap if %s, and saves with it", async (_reason, error) => {
    const platform = browser(new DOMException("refused", error), true);
    await act(() => saveFiles(files, platform, note));
    expect(saved).toEqual([]);
    expect(await screen.findByText("2 files are ready to save")).toBeTruthy();
    await userEvent.click(await saveButton());
    await vi.waitFor(() => expect(saved).toEqual(["a.pdf", "b.pdf"]));
    expect(namesOf(platform.share.mock.calls[1]?.[0] ?? [])).toEqual(["a.pdf", "b.pdf"]);
  });

  test("says why files could not be handed over", async () => {
    const refused = new DOMException("no such type", "DataError");
    await expect(saveFiles(files, browser(refused))).rejects.toBe(refused);
    await act(() =>
      saveFiles(files.slice(0, 1), browser(new DOMException("late", "NotAllowedError"), refused)),
    );
    expect(await screen.findByText("a.pdf is ready to save")).toBeTruthy();
    await userEvent.click(await saveButton());
    expect(await screen.findByText(/no such type/)).toBeTruthy();
  });
});
