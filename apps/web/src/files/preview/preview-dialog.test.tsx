import { cleanup, screen, waitFor, within } from "@testing-library/react";
import type { FileDescription } from "@warren/protocol";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { cancelDialog } from "../../testing/cancel-dialog.ts";
import { encodeText } from "../../testing/encode-text.ts";
import { fakePeer, fakeStoredFile, roomWith } from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { pngHeader } from "../../testing/png-header.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { usePlatform } from "../../wiring/platform-context.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { preview } from "./preview-dialog.tsx";

const png = pngHeader();
const addresses = new Map<string, Blob>();

beforeEach(() => {
  addresses.clear();
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    const address = `blob:test/${addresses.size}`;
    if (blob instanceof Blob) addresses.set(address, blob);
    return address;
  });
});
afterEach(() => {
  cancelDialog();
  cleanup();
});

function Previewing({ files }: { readonly files: readonly FileDescription[] }) {
  const [warren, platform] = [useWarren(), usePlatform()];
  return files.map((file) => (
    <button key={file.fid} type="button" onClick={() => void preview(warren, platform, file, files)}>
      {file.fileName}
    </button>
  ));
}

function keep(fake: FakeWarren, fileName: string, content: BlobPart): FileDescription {
  const { description } = fakeStoredFile({ fileName });
  fake.keepFile(description.fid, new File([content], fileName));
  return description;
}

async function open(fake: FakeWarren, files: readonly FileDescription[], name: string) {
  const { user } = renderWithWarren(<Previewing files={files} />, fake);
  await user.click(screen.getByRole("button", { name }));
  return { user, dialog: await screen.findByRole("dialog") };
}

describe("a preview", () => {
  test("shows a picture detected by its bytes, and revokes its address when it closes", async () => {
    const revoke = vi.spyOn(URL, "revokeObjectURL");
    const fake = fakeWarren();
    const { user, dialog } = await open(fake, [keep(fake, "odd.bin", png)], "odd.bin");
    const picture = await within(dialog).findByRole("img", { name: "odd.bin" });
    const address = picture.getAttribute("src") ?? "";
    expect(addresses.get(address)?.type).toBe("image/png");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(revoke).toHaveBeenCalledWith(address));
  });

  test("refuses a picture of more than 40 million pixels, and creates no address for it", async () => {
    const fake = fakeWarren();
    const { dialog } = await open(fake, [keep(fake, "poster.png", pngHeader(60_000, 60_000))], "poster.png");
    await within(dialog).findByText(/more than 40 million pixels/);
    expect(within(dialog).getByRole("button", { name: "Save" })).toBeTruthy();
    expect(addresses.size).toBe(0);
  });

  test("shows HTML and SVG as text, and creates no address for them", async () => {
    const fake = fakeWarren();
    const page = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
    const { dialog } = await open(fake, [keep(fake, "holiday.png", page)], "holiday.png");
    await waitFor(() => expect(dialog.querySelector("pre")?.textContent).toBe(page));
    expect(dialog.querySelector("img, script, iframe")).toBeNull();
    expect(addresses.size).toBe(0);
  });

  test("shows a text in an older encoding, and which it is", async () => {
    const fake = fakeWarren();
    const memo = keep(fake, "memo.txt", encodeText("会议记录：下周三上午十点，三楼。", "gb18030"));
    const { dialog } = await open(fake, [memo], "memo.txt");
    await within(dialog).findByText("会议记录：下周三上午十点，三楼。");
    const choice = within(dialog).getByRole<HTMLSelectElement>("combobox", { name: "Encoding" });
    expect(choice.selectedOptions[0]?.text).toBe("Detected: Simplified Chinese (GBK, GB18030)");
  });

  test("shows the text in the chosen encoding, also on coming back to it", async () => {
    const fake = fakeWarren();
    const files = [
      // By chance also valid in UTF-8.
      keep(fake, "word.txt", encodeText("欧元", "gb18030")),
      keep(fake, "plain.txt", "only ASCII"),
    ];
    const { user, dialog } = await open(fake, files, "word.txt");
    const choice = await within(dialog).findByRole("combobox", { name: "Encoding" });
    await user.selectOptions(choice, "Simplified Chinese (GBK, GB18030)");
    await within(dialog).findByText("欧元");
    await user.click(within(dialog).getByRole("button", { name: "Next file" }));
    await within(dialog).findByText("only ASCII");
    expect(within(dialog).queryByRole("combobox", { name: "Encoding" })).toBeNull();
    await user.click(within(dialog).getByRole("button", { name: "Previous file" }));
    await within(dialog).findByText("欧元");
  });

  test("shows only the first 256 kB of a text, and says so", async () => {
    const fake = fakeWarren();
    const { dialog } = await open(fake, [keep(fake, "long.log", "x".repeat(300_000))], "long.log");
    await within(dialog).findByText("These are the first 256 kB. Save the file to read on.");
    expect(dialog.querySelector("pre")?.textContent).toHaveLength(256_000);
  });

  test.each([
    ["a PDF", "%PDF-1.7"],
    ["an archive", Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0)],
  ])("only offers to save %s", async (_, content) => {
    const fake = fakeWarren();
    const { dialog } = await open(fake, [keep(fake, "thing", content)], "thing");
    await within(dialog).findByText("Unsupported file type");
    expect(within(dialog).getByRole("button", { name: "Save" })).toBeTruthy();
    expect(addresses.size).toBe(0);
  });

  test("says that the file is no longer here", async () => {
    const fake = fakeWarren();
    const { dialog } = await open(fake, [fakeStoredFile({ fileName: "gone.txt" }).description], "gone.txt");
    await within(dialog).findByText("gone.txt is no longer in this browser");
  });

  test("moves through the list with the arrow keys, and stops at its ends", async () => {
    const fake = fakeWarren();
    const files = ["one.txt", "two.txt", "three.txt"].map((name) => keep(fake, name, `in ${name}`));
    const { user, dialog } = await open(fake, files, "two.txt");
    await within(dialog).findByText("in two.txt");
    await user.keyboard("{ArrowRight}");
    await within(dialog).findByText("in three.txt");
    await user.keyboard("{ArrowRight}{ArrowLeft}{ArrowLeft}{ArrowLeft}");
    await within(dialog).findByText("in one.txt");
    expect(within(dialog).getByRole("button", { name: "Previous file" }).ariaDisabled ?? "true").toBe("true");
  });

  test("forwards the file it shows", async () => {
    const fake = fakeWarren();
    fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
    const file = keep(fake, "one.txt", "words");
    const { user, dialog } = await open(fake, [file], "one.txt");
    await user.click(within(dialog).getByRole("button", { name: "Forward" }));
    const next = await screen.findByRole("dialog", { name: "Forward" });
    await user.click(within(next).getByRole("checkbox", { name: /Mara/ }));
    await user.click(within(next).getByRole("button", { name: "Forward" }));
    await waitFor(() => expect(fake.argsOf("forwardFile")).toEqual([[fakePeer(1, "").clientId, file.fid]]));
  });
});
