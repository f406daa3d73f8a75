import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { hostileFileIds } from "@warren/protocol/testing/hostile-ids";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { thumbnailOf } from "../pictures/avatar-image.ts";
import { clientIdOf, fakePeer, fakeStoredFile, libraryOf, roomWith } from "../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../testing/fake-warren.ts";
import { pngHeader } from "../testing/png-header.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import ComparisonPage from "./comparison-page.tsx";

vi.mock(import("../pictures/avatar-image.ts"), async (original) => ({
  ...(await original()),
  thumbnailOf: vi.fn(),
}));

const mara = clientIdOf(1);
const interview = fakeStoredFile({
  fid: "file-theirs-1",
  fileName: "interview.mov",
  fileSize: 9 * 1000,
}).description;
const boom = fakeStoredFile({ fid: "file-theirs-2", fileName: "Bóom.wav", fileSize: 1000 }).description;
const poster = fakeStoredFile({ fid: "file-mine-1", fileName: "poster.psd", fileSize: 500 });
const still = fakeStoredFile({ fid: "file-both-1", fileName: "still.jpg", fileSize: 700 });

beforeEach(() => {
  // happy-dom has no layout: without a height no rows would be rendered.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(window, "matchMedia").mockImplementation(
    (query) =>
      ({
        matches: query.includes(">="),
        addEventListener() {},
        removeEventListener() {},
      }) as unknown as MediaQueryList,
  );
});

const page = <ComparisonPage personId={mara} />;

afterEach(cleanup);

function withBothSides(freeBytes = 41.8 * 1_000_000_000): FakeWarren {
  const fake = fakeWarren({ freeBytes });
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.setLibrary(libraryOf([poster, still]));
  fake.setListing(mara, { files: [interview, boom, still.description], answeredAt: Date.now() });
  return fake;
}

const row = (name: RegExp) => screen.getByRole("row", { name });

const names = () =>
  screen
    .getAllByRole("row")
    .slice(1)
    .map((one) =>
      ["interview.mov", "Bóom.wav", "still.jpg", "poster.psd"].find((name) =>
        one.textContent?.includes(name),
      ),
    );

describe("the comparison", () => {
  test("shows both sides: new files, only mine and the same", async () => {
    const fake = withBothSides();
    renderWithWarren(page, fake);
    expect(fake.argsOf("askShares")).toEqual([[mara]]);
    expect(within(row(/interview.mov/)).getByText("New")).toBeTruthy();
    expect(within(row(/interview.mov/)).getByText("You do not have it")).toBeTruthy();
    expect(within(row(/poster.psd/)).getByText("Mara does not have it")).toBeTruthy();
    expect(within(row(/still.jpg/)).getByText("Same")).toBeTruthy();
    expect(screen.getByText("2 missing, 10 kB")).toBeTruthy();
    expect(await screen.findByText("41.8 GB free here")).toBeTruthy();
  });

  test("shows files whose ids are keys of every object like any others", () => {
    const ids = hostileFileIds();
    const fake = withBothSides();
    const theirs = ids.map((fid) => fakeStoredFile({ fid, fileName: `theirs-${fid}.txt` }).description);
    fake.setListing(mara, { files: theirs, answeredAt: Date.now() });
    renderWithWarren(page, fake);
    for (const id of ids) expect(within(row(new RegExp(`theirs-${id}\\.txt`))).getByText("New")).toBeTruthy();
    cleanup();
    fake.setListing(mara, { files: [], answeredAt: Date.now() });
    fake.setLibrary(libraryOf(ids.map((fid) => fakeStoredFile({ fid, fileName: `mine-${fid}.txt` }))));
    renderWithWarren(page, fake);
    for (const id of ids)
      expect(within(row(new RegExp(`mine-${id}\\.txt`))).getByText("Mara does not have it")).toBeTruthy();
  });

  test("shows how many files are listed if the list is incomplete", () => {
    const fake = withBothSides();
    renderWithWarren(page, fake);
    expect(screen.queryByText(/files listed/)).toBeNull();
    act(() => fake.setListing(mara, { total: 2_500 }));
    expect(screen.getByText("3 of 2,500 files listed")).toBeTruthy();
  });

  test("shows thumbnails of complete pictures, and counts batches", async () => {
    vi.mocked(thumbnailOf).mockResolvedValue("data:image/png;base64,iVBORw0KGgo=");
    const fake = withBothSides();
    const png = pngHeader();
    // Attempts are cached, so this test uses its own picture.
    const drawn = fakeStoredFile({ fid: "file-both-2", fileName: "drawn.jpg", fileSize: 700 });
    fake.setLibrary(new Map([["file-both-2", drawn]]));
    fake.keepFile("file-both-2", new File([new Uint8Array(png)], "drawn.jpg"));
    const tree = { kind: "files", files: 20, folders: 0, manifestSize: 400, pictures: true } as const;
    const batch = { ...interview, fid: "file-theirs-3", fileName: "20 Dateien" };
    const files = [{ ...batch, tree: { ...tree, manifestDigest: "0".repeat(64) } }, drawn.description];
    fake.setListing(mara, { files, answeredAt: Date.now() });
    renderWithWarren(page, fake);
    expect(within(row(/20 pictures/)).getByRole("button", { name: "Get 20 pictures" })).toBeTruthy();
    await waitFor(() => expect(within(row(/drawn.jpg/)).getAllByRole("presentation")).toHaveLength(2));
    expect(within(row(/20 pictures/)).queryByRole("presentation")).toBeNull();
  });

  test("shows the selected details: size, time and type", async () => {
    const { user } = renderWithWarren(page, withBothSides());
    const choose = async (name: string): Promise<void> => {
      await user.click(screen.getByRole("button", { name: "Sorted by what is missing" }));
      await user.click(await screen.findByRole("menuitemcheckbox", { name }));
      await user.keyboard("{Escape}");
    };
    const cell = () => row(/interview.mov/).textContent;
    expect(cell()).toContain("9 kB");
    expect(cell()).not.toContain("application/pdf");
    await choose("Show size");
    await choose("Show MIME type");
    expect(cell()).not.toContain("9 kB");
    expect(cell()).toContain("application/pdf");
  });

  test("fetches and sends several selected files at once", async () => {
    const fake = withBothSides();
    const { user } = renderWithWarren(page, fake);
    await user.click(screen.getByRole("checkbox", { name: "Select interview.mov" }));
    await user.click(screen.getByRole("checkbox", { name: "Select poster.psd" }));
    expect(screen.getByText("2 selected, 9.5 kB")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Get 1, send 1" }));
    expect(fake.argsOf("fetchShares")).toEqual([[mara, [interview]]]);
    expect(fake.argsOf("forwardFile")).toEqual([[mara, "file-mine-1"]]);
    expect(screen.getByText("2 missing, 10 kB")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Get all 2" }));
    expect(fake.argsOf("fetchShares").at(-1)).toEqual([mara, [boom, interview]]);
  });

  test("asks about files over the limit one after the other, and keeps what was cancelled selected", async () => {
    const fake = withBothSides();
    fake.setOptions({ maxFileSize: 100 });
    const { user } = renderWithWarren(page, fake);
    await user.click(screen.getByRole("checkbox", { name: "Select interview.mov" }));
    await user.click(screen.getByRole("checkbox", { name: "Select poster.psd" }));
    await user.click(screen.getByRole("button", { name: "Get 1, send 1" }));
    await user.click(await screen.findByRole("button", { name: "Get it anyway" }));
    await user.click(await screen.findByRole("button", { name: "Send anyway" }));
    await waitFor(() =>
      expect(fake.argsOf("forwardFile")).toEqual([[mara, "file-mine-1", { overLimit: true }]]),
    );
    expect(fake.argsOf("fetchShares")).toEqual([[mara, [interview], { overLimit: true }]]);

    await user.click(screen.getByRole("checkbox", { name: "Select interview.mov" }));
    await user.click(screen.getByRole("button", { name: "Get 1" }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Cancel" }));
    expect(screen.getByText("1 selected, 9 kB")).toBeTruthy();
    expect(fake.argsOf("fetchShares")).toHaveLength(1);
  });

  test("searches names regardless of accents, and filters", () => {
    renderWithWarren(page, withBothSides());
    fireEvent.click(screen.getByRole("button", { name: /^Only here/ }));
    expect(names()).toEqual(["poster.psd"]);
    fireEvent.click(screen.getByRole("button", { name: /^All/ }));
    const search = screen.getByRole("searchbox", { name: "Search both sides" });
    fireEvent.change(search, { target: { value: "boom" } });
    expect(names()).toEqual(["Bóom.wav"]);
  });

  test("sorts by the selected order", async () => {
    const { user } = renderWithWarren(page, withBothSides());
    await user.click(screen.getByRole("button", { name: "Sorted by what is missing" }));
    await user.click(await screen.findByRole("menuitemradio", { name: "Size" }));
    expect(names()).toEqual(["interview.mov", "Bóom.wav", "still.jpg", "poster.psd"]);
  });

  test("sorts by the selected order on a phone", async () => {
    vi.spyOn(window, "matchMedia").mockImplementation(
      (query) =>
        ({
          matches: query.includes("<"),
          addEventListener() {},
          removeEventListener() {},
        }) as unknown as MediaQueryList,
    );
    const { user } = renderWithWarren(page, withBothSides());
    await user.click(screen.getByRole("button", { name: "Sorted by what is missing" }));
    await user.click(await screen.findByRole("menuitemradio", { name: "Size" }));
    expect(names()).toEqual(["interview.mov", "Bóom.wav", "still.jpg", "poster.psd"]);
    expect(screen.getByRole("button", { name: "Sorted by size" })).toBeTruthy();
  });

  test("opens a complete file by double-click, and fetches a missing one", async () => {
    const fake = withBothSides();
    const { user } = renderWithWarren(page, fake);
    fireEvent.doubleClick(within(row(/interview.mov/)).getByText("You do not have it"));
    await waitFor(() => expect(fake.argsOf("fetchShares")).toEqual([[mara, [interview]]]));
    fireEvent.doubleClick(within(row(/still.jpg/)).getByText("Same"));
    expect(await screen.findByRole("dialog", { name: "still.jpg" })).toBeTruthy();
    await user.keyboard("{Escape}");
  });

  test("moves, selects and fetches by keyboard, and arrow keys move between the controls of rows", async () => {
    const fake = withBothSides();
    const { user } = renderWithWarren(page, fake);
    const first = screen.getAllByRole("row")[1] ?? expect.fail();
    act(() => first.focus());
    await user.keyboard(" {ArrowDown}");
    expect(screen.getByText("1 selected, 1 kB")).toBeTruthy();
    expect(document.activeElement?.textContent).toContain("interview.mov");
    await user.keyboard("{Enter}");
    expect(fake.argsOf("fetchShares")).toEqual([[mara, [interview]]]);
    await user.keyboard("{Escape}");
    expect(screen.queryByText("1 selected, 1 kB")).toBeNull();
    act(() => screen.getByRole("checkbox", { name: "Select Bóom.wav" }).focus());
    await user.keyboard("{ArrowDown}");
    expect(document.activeElement).toBe(screen.getByRole("checkbox", { name: "Select interview.mov" }));
  });

  test("shows the progress of each file, and stops it", async () => {
    const fake = withBothSides();
    fake.setListing(mara, { waiting: [boom] });
    const { user } = renderWithWarren(page, fake);
    expect(within(row(/Bóom.wav/)).getByText("Queued")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Stop Bóom.wav" }));
    expect(fake.argsOf("stopShare")).toEqual([[mara, boom.fid]]);
  });

  test("fetches nothing without space for it, and shows why", async () => {
    const fake = withBothSides(2 * 1000);
    const { user } = renderWithWarren(page, fake);
    expect((await screen.findAllByText("10 kB needed, 2 kB free")).length).toBeGreaterThan(0);
    await user.click(screen.getByRole("button", { name: "Get all 2" }));
    expect(fake.argsOf("fetchShares")).toEqual([]);
  });
});

describe("without files to compare", () => {
  test("says that the peer is away, and compares once they are back", () => {
    const fake = fakeWarren();
    fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist", { session: "disconnected", ready: false })]));
    renderWithWarren(page, fake);
    expect(screen.getByRole("heading", { name: "Mara is not here" })).toBeTruthy();
    expect(fake.argsOf("askShares")).toEqual([]);
    act(() => fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")])));
    expect(fake.argsOf("askShares")).toEqual([[mara]]);
  });

  test("says why there is no answer, and requests one again", async () => {
    const fake = fakeWarren();
    fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
    const error = { code: "send-timeout", values: {} } as const;
    fake.setListing(mara, { request: { status: "failed", error } });
    const { user } = renderWithWarren(page, fake);
    expect(screen.getByRole("heading", { name: "Mara did not answer" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(fake.argsOf("askShares")).toHaveLength(2);
  });
});
