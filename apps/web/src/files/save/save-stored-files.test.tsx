import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeTarget } from "../../testing/fake-folders.ts";
import { clientIdOf, fakeFile, fakeStoredFile } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../../testing/render-with-warren.tsx";
import { toast } from "../../wiring/toast.ts";
import { FileCard } from "../card/file-card.tsx";

const mara = clientIdOf(1);
/** What was saved to the downloads, by the name that the page gave it. */
let downloads: Map<string, Blob>;

beforeEach(() => {
  downloads = new Map();
  let latest = new Blob();
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    latest = blob as Blob;
    return "blob:saved";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    downloads.set(this.download, latest);
  });
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue("Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0");
});

afterEach(() => {
  toast.dismiss();
  cleanup();
});

async function saveGitignore(pickTargetFolder: (() => Promise<FakeTarget>) | null) {
  const fake = fakeWarren();
  const state = { state: "complete" } as const;
  const message = fakeFile(mara, mara, { fileName: ".gitignore" }, state, 1);
  const { fid } = message.file;
  fake.setLibrary(new Map([[fid, fakeStoredFile(message.file)]]));
  fake.keepFile(fid, new File(["dist"], ".gitignore"));
  const platform = { ...fakePlatform(), pickTargetFolder };
  const { user } = renderWithWarren(<FileCard message={message} isMine={false} onDelete={() => {}} />, fake, {
    platform,
  });
  await user.click(screen.getByRole("button", { name: "Save: .gitignore" }));
  expect(await screen.findByText("The browser saved .gitignore as gitignore")).toBeTruthy();
  expect([...downloads.keys()]).toEqual([".gitignore"]);
  expect(fake.argsOf("markSaved")).toEqual([[fid, "gitignore"]]);
  return { fake, fid, user };
}

test("a file to which the browser gives another name can be saved under its own in a folder", async () => {
  const target = new FakeTarget();
  const { fake, fid, user } = await saveGitignore(async () => target);
  await user.click(screen.getByRole("button", { name: "Save to a folder" }));
  expect(await screen.findByText(".gitignore is saved")).toBeTruthy();
  expect([...target.files.keys()]).toEqual([".gitignore"]);
  expect(fake.argsOf("markSaved").at(-1)).toEqual([fid, null]);
});

test("a file to which the browser gives another name can be saved under its own in a zip", async () => {
  const { fake, fid, user } = await saveGitignore(null);
  await user.click(screen.getByRole("button", { name: "Save as zip" }));
  await expect.poll(() => fake.argsOf("markSaved").at(-1)).toEqual([fid, null]);
  const zip = downloads.get(".gitignore.zip") ?? expect.fail("no zip");
  // Stored uncompressed: a header with the name, then the bytes.
  expect(await zip.text()).toMatch(/\.gitignore.*dist/s);
});
