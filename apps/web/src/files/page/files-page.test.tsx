import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { StoredFile } from "@warren/core";
import { hostileFileIds } from "@warren/protocol/testing/hostile-ids";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { useLocation } from "wouter";
import ConversationPane from "../../chat/conversation-pane.tsx";
import {
  clientIdOf,
  fakeContact,
  fakeFile,
  fakePeer,
  fakeStoredFile,
  fakeText,
  fakeTransfer,
  libraryOf,
  me,
  roomWith,
} from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../../testing/render-with-warren.tsx";
import { toast } from "../../wiring/toast.ts";
import FilesPage from "./files-page.tsx";

const [mara, noor, jun] = [clientIdOf(1), clientIdOf(2), clientIdOf(3)];
const viewportPx = 600;

beforeEach(() => {
  // happy-dom has no layout: without a height no rows would be rendered.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(viewportPx);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(1_200);
  vi.spyOn(window, "matchMedia").mockImplementation(
    (query) =>
      ({
        ...new EventTarget(),
        matches: query.includes(">="),
        addEventListener() {},
        removeEventListener() {},
      }) as unknown as MediaQueryList,
  );
});
afterEach(() => {
  toast.dismiss();
  cleanup();
});

function withFiles(files: readonly StoredFile[]): FakeWarren {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara Lindqvist") } });
  fake.setLibrary(libraryOf(files));
  return fake;
}

const page = <FilesPage />;
const three = () => [
  fakeStoredFile({ fileName: "Tomás.pdf", fileSize: 3 * 1000 }, { createdAt: 1 }),
  fakeStoredFile({ fileName: "beach.png", fileSize: 9 * 1000, mimeType: "image/png" }, { createdAt: 3 }),
  fakeStoredFile({ fileName: "Alpha.zip", fileSize: 6 * 1000 }, { createdAt: 2 }),
];

const rows = () => screen.getAllByRole("row").filter((row) => row.dataset.row !== undefined);
const rowOf = (name: string) => screen.getByText(name).closest("tr") ?? expect.fail();
const names = () =>
  rows().map((row) => within(row).getByRole("checkbox").getAttribute("aria-label")?.replace("Select ", ""));

describe("the files page", () => {
  test("lists files whose ids are keys of every object", () => {
    const ids = hostileFileIds();
    renderWithWarren(
      page,
      withFiles(ids.map((fid) => fakeStoredFile({ fid, fileName: `${fid}.txt` }, { state: "missing" }))),
    );
    expect(names().sort()).toEqual(ids.map((id) => `${id}.txt`).sort());
  });

  test("lists every file, latest first, and shows the storage they use", async () => {
    const platform = fakePlatform();
    platform.storage.write("hidden_file_columns", "");
    renderWithWarren(page, withFiles(three()), { platform });
    expect(names()).toEqual(["beach.png", "Alpha.zip", "Tomás.pdf"]);
    await screen.findByText("18 kB in files, 41.8 GB free");
    expect(screen.getAllByRole("columnheader").map((head) => head.textContent)).toEqual([
      "",
      "Name",
      "Person",
      "Size",
      "Last modified",
      "Date",
      "MIME type",
      "Actions",
    ]);
  });

  test("shows states and filters only where files differ", () => {
    const lost = fakeStoredFile({ fid: "file-lost" }, { state: "missing", storedBytes: 0 });
    renderWithWarren(page, withFiles([...three(), lost]));
    expect(screen.getByRole("columnheader", { name: "Status" })).toBeTruthy();
    expect(screen.getByRole("button", { name: /^Complete/ })).toBeTruthy();
    expect(screen.getByRole("button", { name: /^Incomplete/ })).toBeTruthy();
  });

  test("says how many files there are where nothing can be filtered", () => {
    renderWithWarren(page, withFiles(three()));
    expect(screen.getByText("3 files")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^All/ })).toBeNull();
  });

  test("sorts by the clicked column, and reverses the order when it is clicked again", async () => {
    const { user } = renderWithWarren(page, withFiles(three()));
    await user.click(screen.getByRole("button", { name: "Name" }));
    expect(names()).toEqual(["Alpha.zip", "beach.png", "Tomás.pdf"]);
    expect(screen.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort")).toBe("ascending");
    await user.click(screen.getByRole("button", { name: "Name" }));
    expect(names()).toEqual(["Tomás.pdf", "beach.png", "Alpha.zip"]);
    await user.click(screen.getByRole("button", { name: "Size" }));
    expect(names()).toEqual(["beach.png", "Alpha.zip", "Tomás.pdf"]);
  });

  test("can be sorted on a phone, which has no column headers", async () => {
    vi.spyOn(window, "matchMedia").mockImplementation(
      (query) =>
        ({
          matches: query.includes("<"),
          addEventListener() {},
          removeEventListener() {},
        }) as unknown as MediaQueryList,
    );
    const { user } = renderWithWarren(page, withFiles(three()));
    const listed = () => rows().map((row) => row.querySelector("button")?.textContent);
    const choose = async (button: string, role: "menuitem" | "menuitemradio", name: string) => {
      await user.click(screen.getByRole("button", { name: button }));
      await user.click(screen.getByRole(role, { name }));
    };
    await choose("Sorted by Date", "menuitemradio", "Name");
    expect(listed()).toEqual([
      expect.stringContaining("Alpha.zip"),
      expect.stringContaining("beach.png"),
      expect.stringContaining("Tomás.pdf"),
    ]);
    await choose("Sorted by Name", "menuitem", "Reverse the order");
    expect(listed()[0]).toContain("Tomás.pdf");
  });

  test("finds files regardless of case and accents, and offers to show all again", async () => {
    const { user } = renderWithWarren(page, withFiles(three()));
    await user.type(screen.getByRole("searchbox", { name: "Search files" }), "TOMAS");
    expect(names()).toEqual(["Tomás.pdf"]);
    await user.type(screen.getByRole("searchbox", { name: "Search files" }), "x");
    expect(screen.getByRole("heading", { name: "No files match “TOMASx”" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Show all" }));
    expect(rows()).toHaveLength(3);
  });

  test("renders a window of ten thousand rows, and the last one on demand", async () => {
    const many = Array.from({ length: 10_000 }, (_, i) =>
      fakeStoredFile({ fileName: `file ${i}.txt` }, { createdAt: -i }),
    );
    const { user } = renderWithWarren(page, withFiles(many));
    expect(rows().length).toBeLessThan(40);
    expect(screen.getByRole("grid").getAttribute("aria-rowcount")).toBe("10001");
    act(() => rows()[0]?.focus());
    await user.keyboard("{End}");
    expect(document.activeElement?.textContent).toContain("file 9999.txt");
    expect(rows().length).toBeLessThan(60);
  });

  test("moves, selects and deletes by keyboard, after confirmation", async () => {
    const fake = withFiles(three());
    const { user } = renderWithWarren(page, fake);
    act(() => rows()[0]?.focus());
    const [beach, alpha] = rows().map((row) => row.dataset.row);
    await user.keyboard(" {ArrowDown} ");
    expect(screen.getByText("2 selected, 15 kB")).toBeTruthy();
    await user.keyboard("{Delete}");
    const dialog = await screen.findByRole("dialog", { name: "Delete 2 files?" });
    expect(dialog.textContent).toContain("15 kB will be removed from this browser.");
    await user.click(within(dialog).getByRole("button", { name: "Delete 2 files" }));
    await waitFor(() => expect(fake.argsOf("deleteFiles")).toEqual([[[beach, alpha]]]));
    expect(screen.queryByText("2 selected, 15 kB")).toBeNull();
  });

  test("selects all and forwards by the same keys on a layout without Latin letters", async () => {
    const { user } = renderWithWarren(page, withFiles(three()));
    const row = rows()[0] ?? expect.fail();
    act(() => row.focus());
    fireEvent.keyDown(row, { key: "ф", code: "KeyA", ctrlKey: true });
    expect(screen.getByText("3 selected, 18 kB")).toBeTruthy();
    fireEvent.keyDown(row, { key: "а", code: "KeyF" });
    const dialog = await screen.findByRole("dialog", { name: "Forward 3 items" });
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
  });

  test("opens the menu of a row's button by right click, menu key and long press", async () => {
    const fake = withFiles(three());
    const { user } = renderWithWarren(page, fake);
    const row = rows()[0] ?? expect.fail();
    const entries = () => screen.getAllByRole("menuitem").map((entry) => entry.textContent);
    await user.click(screen.getByRole("button", { name: "Actions for beach.png" }));
    const ofButton = entries();
    await user.keyboard("{Escape}");
    expect(fireEvent.contextMenu(within(row).getByText("beach.png"), { button: 2 })).toBe(false);
    expect(screen.getByRole("menu", { name: "Actions for beach.png" })).toBeTruthy();
    expect(entries()).toEqual(ofButton);
    await user.keyboard("{Escape}");
    act(() => row.focus());
    await user.keyboard("{ContextMenu}");
    fireEvent.contextMenu(row);
    await waitFor(() => expect(document.activeElement?.textContent).toBe(ofButton[0]));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(row));
    fireEvent.pointerDown(row, { pointerType: "touch", clientX: 5, clientY: 5 });
    await screen.findByRole("menu");
    await user.click(screen.getByRole("menuitem", { name: /^Share with the room/ }));
    expect(fake.argsOf("setShared")).toEqual([[row.dataset.row, true]]);
    expect(fireEvent.contextMenu(screen.getByRole("columnheader", { name: "Name" }), { button: 2 })).toBe(
      true,
    );
  });

  test("warns before deleting a file that cannot be resumed and whose transfer is stopped", async () => {
    const fid = "file-on-its-way";
    const fake = withFiles([
      fakeStoredFile({ fid, fileSize: 4 * 1000 }, { state: "incomplete", storedBytes: 1000 }),
    ]);
    const offer = fakeFile(mara, mara, { fid, fileSize: 4 * 1000 }, { state: "running" }, 1);
    fake.addMessage(offer);
    fake.setTransfer(fakeTransfer(offer, mara, { transferredBytes: 2 * 1000 }));
    const { user } = renderWithWarren(page, fake);
    act(() => rows()[0]?.focus());
    await user.keyboard("{Delete}");
    const dialog = await screen.findByRole("dialog", { name: "Delete 1 file?" });
    expect(dialog.textContent).toContain("1 incomplete file can then no longer be resumed.");
    expect(dialog.textContent).toContain("1 transfer is stopped first.");
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(fake.argsOf("deleteFiles")).toEqual([]);
  });

  test("shows a transfer's progress, and resumes a stopped one", async () => {
    const fid = "file-on-its-way";
    const fake = withFiles([
      fakeStoredFile({ fid, fileSize: 4 * 1000 }, { state: "incomplete", storedBytes: 1000 }),
    ]);
    const offer = fakeFile(mara, mara, { fid, fileSize: 4 * 1000 }, { state: "pausedHere" }, 1);
    fake.addMessage(offer);
    const { user } = renderWithWarren(page, fake);
    expect(within(rows()[0] ?? expect.fail()).getByText("Paused")).toBeTruthy();
    expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("25");
    expect(screen.queryByRole("columnheader", { name: "Progress" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Columns" }));
    await user.click(screen.getByRole("menuitemcheckbox", { name: "Progress" }));
    await user.keyboard("{Escape}");
    // Once, wherever it is.
    expect(screen.getByRole("columnheader", { name: "Progress" })).toBeTruthy();
    expect(screen.getAllByRole("progressbar")).toHaveLength(1);
    fireEvent.doubleClick(rows()[0] ?? expect.fail());
    expect(fake.argsOf("resumeFile")).toEqual([[offer.key]]);
    act(() => {
      fake.changeMessage({ ...offer, offers: { [mara]: { state: "accepted" } } });
      fake.setTransfer(fakeTransfer(offer, mara, { transferredBytes: 3 * 1000 }));
    });
    expect(screen.getByText("Transferring")).toBeTruthy();
    expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("75");
    // It would show what All shows.
    expect(screen.queryByRole("button", { name: /^Incomplete/ })).toBeNull();
  });

  test("shows a file queued at a peer as stopped once that peer has left", () => {
    const fid = "file-queued";
    const fake = withFiles([fakeStoredFile({ fid }, { direction: "sent" })]);
    fake.addMessage(fakeFile(me, mara, { fid }, { state: "queuedThere" }, 1));
    renderWithWarren(page, fake);
    const row = () => within(rows()[0] ?? expect.fail());
    expect(row().getByText("Not started")).toBeTruthy();
    act(() => fake.setRoom(roomWith([])));
    expect(row().getByText("Paused")).toBeTruthy();
  });

  test("shows a file whose bytes disappeared as missing, and requests it again", async () => {
    const fid = "file-without-bytes";
    const fake = withFiles([fakeStoredFile({ fid }, { state: "missing", storedBytes: 0 })]);
    const offer = fakeFile(mara, mara, { fid }, { state: "complete" }, 1);
    fake.addMessage(offer);
    const { user } = renderWithWarren(page, fake);
    const row = rows()[0] ?? expect.fail();
    expect(within(row).getByText("Missing")).toBeTruthy();
    expect(within(row).queryByRole("button", { name: /^Save/ })).toBeNull();
    await user.click(within(row).getByRole("button", { name: /^Actions for/ }));
    await user.click(await screen.findByRole("menuitem", { name: "Ask again" }));
    expect(fake.argsOf("askAgain")).toEqual([[offer.key]]);
  });

  test("shows that a picked file is only in this tab, and counts no storage for it", async () => {
    renderWithWarren(page, withFiles([fakeStoredFile({}, { location: "page", direction: "sent" })]));
    expect(screen.getByText("This tab only")).toBeTruthy();
    await screen.findByText("0 B in files, 41.8 GB free");
  });

  test("shares through the system's share sheet if it accepts files", async () => {
    const shared: string[] = [];
    const shareFiles = async (files: readonly File[]) => shared.push(...files.map(({ name }) => name)) > 0;
    const file = fakeStoredFile({ fileName: "beach.png" });
    const fake = withFiles([file]);
    fake.keepFile(file.description.fid, new File(["x"], "beach.png"));
    const { user } = renderWithWarren(page, fake, { platform: { ...fakePlatform(), shareFiles } });
    await user.click(screen.getByRole("button", { name: "Actions for beach.png" }));
    await user.click(await screen.findByRole("menuitem", { name: "Share" }));
    await waitFor(() => expect(shared).toEqual(["beach.png"]));
  });

  test("shares a file with the room, marks shared files, and stops sharing", async () => {
    const [plan, photo] = [
      fakeStoredFile({ fileName: "plan.pdf" }),
      fakeStoredFile({ fileName: "photo.png" }, { shared: true }),
    ];
    const fake = withFiles([plan, photo, fakeStoredFile({ fileName: "part.mov" }, { state: "incomplete" })]);
    const { user } = renderWithWarren(page, fake);
    expect(screen.getByText("Shared").closest("tr")?.textContent).toContain("photo.png");
    await user.click(screen.getByRole("button", { name: "Actions for plan.pdf" }));
    await user.click(await screen.findByRole("menuitem", { name: "Share with the room" }));
    await user.click(screen.getByRole("button", { name: "Actions for photo.png" }));
    await user.click(await screen.findByRole("menuitem", { name: "Stop sharing" }));
    expect(fake.argsOf("setShared")).toEqual([
      [plan.description.fid, true],
      [photo.description.fid, false],
    ]);
    await user.click(screen.getByRole("button", { name: "Actions for part.mov" }));
    await screen.findByRole("menuitem", { name: /^Delete/ });
    expect(screen.queryByRole("menuitem", { name: "Share with the room" })).toBeNull();
  });

  test("shows who sent a file or whom it was sent to", () => {
    const sentTo = (name: string, peers: readonly string[]) =>
      fakeStoredFile({ fileName: name }, { direction: "sent", peers });
    const fake = withFiles([
      fakeStoredFile({ fileName: "got.pdf" }, { peers: [mara] }),
      sentTo("gave.pdf", [mara, noor]),
      sentTo("spread.pdf", [mara, noor, jun]),
    ]);
    fake.setChat({
      contacts: {
        [mara]: fakeContact(1, "Mara Lindqvist"),
        [noor]: fakeContact(2, "Noor Haddad"),
        [jun]: fakeContact(3, "Jun Tanaka"),
      },
    });
    renderWithWarren(page, fake);
    expect(within(rowOf("got.pdf")).getByText("From Mara")).toBeTruthy();
    expect(within(rowOf("gave.pdf")).getByText("To Mara and Noor")).toBeTruthy();
    expect(within(rowOf("spread.pdf")).getByText("To 3 people")).toBeTruthy();
  });

  test("sorts people by their names, and files by the name and type that are shown", async () => {
    const tree = {
      kind: "files",
      files: 2,
      folders: 0,
      manifestSize: 2,
      manifestDigest: "0".repeat(64),
    } as const;
    const batch = { fileName: "a.txt", mimeType: "application/x-tree", tree } as const;
    const fake = withFiles([
      fakeStoredFile({ fileName: "b.pdf" }, { peers: [mara] }),
      fakeStoredFile({ fileName: "c.pdf" }, { peers: [noor] }),
      fakeStoredFile(batch, { peers: [jun] }),
    ]);
    fake.setChat({
      contacts: {
        [mara]: fakeContact(1, "Zoe"),
        [noor]: fakeContact(2, "Noor Haddad"),
        [jun]: fakeContact(3, "Ada"),
      },
    });
    const { user } = renderWithWarren(page, fake);
    await user.click(screen.getByRole("button", { name: "Person" }));
    expect(names()).toEqual(["a.txt and 1 more", "c.pdf", "b.pdf"]);
    await user.click(screen.getByRole("button", { name: "Name" }));
    expect(names()).toEqual(["a.txt and 1 more", "b.pdf", "c.pdf"]);
    await user.type(screen.getByRole("searchbox"), "1 more");
    expect(names()).toEqual(["a.txt and 1 more"]);
  });

  test("shows an unknown time for an empty folder, instead of 1970", () => {
    const size = { files: 0, folders: 1, manifestSize: 2, manifestDigest: "0".repeat(64) };
    const folder = { fileName: "Empty", fileSize: 2, tree: { kind: "folder", ...size } } as const;
    const platform = fakePlatform();
    platform.storage.write("hidden_file_columns", "");
    const file = fakeStoredFile({ ...folder, lastModified: 0 }, { createdAt: 0 });
    renderWithWarren(page, withFiles([file]), { platform });
    const row = rowOf("Empty");
    expect(within(row).getAllByText("Unknown")).toHaveLength(2);
    expect(row.textContent).not.toMatch(/19(69|70)/);
  });

  test("saves a file with the button in its row", async () => {
    const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
    const file = fakeStoredFile({ fileName: "beach.png" });
    const fake = withFiles([file]);
    fake.keepFile(file.description.fid, new File(["x"], "beach.png"));
    const { user } = renderWithWarren(page, fake);
    await user.click(within(rowOf("beach.png")).getByRole("button", { name: "Save beach.png" }));
    await waitFor(() => expect(fake.argsOf("markSaved")).toHaveLength(1));
    expect(saved.mock.contexts.map((link) => (link as HTMLAnchorElement).download)).toEqual(["beach.png"]);
  });

  test("opens the conversation at a file's message", async () => {
    const file = fakeStoredFile({ fileName: "beach.png" });
    const fake = withFiles([file]);
    const complete = { state: "complete" } as const;
    fake.addMessage(fakeFile(mara, mara, file.description, complete, 1));
    fake.addMessage(fakeText(mara, mara, "Something else", 2));
    function Pages() {
      const [path] = useLocation();
      return path === "/file" ? page : <ConversationPane conversationId={path.split("/")[2] ?? ""} />;
    }
    const { user } = renderWithWarren(<Pages />, fake, { path: "/file" });
    await user.click(screen.getByRole("button", { name: "Actions for beach.png" }));
    await user.click(await screen.findByRole("menuitem", { name: "Show in conversation" }));
    expect(screen.getByRole("region", { name: "Conversation with Mara Lindqvist" })).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.textContent).toContain("beach.png"));
    expect(document.activeElement?.tagName).toBe("ARTICLE");
  });

  test("hides the MIME type by default", async () => {
    renderWithWarren(page, withFiles(three()));
    const heads = screen.getAllByRole("columnheader").map((head) => head.textContent);
    expect(heads).toContain("Person");
    expect(heads).not.toContain("MIME type");
  });

  test("hides columns and remembers which", async () => {
    const platform = fakePlatform();
    const heads = () =>
      ["Size", "MIME type"].filter((name) => screen.queryByRole("columnheader", { name }) !== null);
    const { user } = renderWithWarren(page, withFiles(three()), { platform });
    expect(heads()).toEqual(["Size"]);
    await user.click(screen.getByRole("button", { name: "Columns" }));
    await user.click(await screen.findByRole("menuitemcheckbox", { name: "Size" }));
    await user.click(screen.getByRole("menuitemcheckbox", { name: "MIME type" }));
    expect(heads()).toEqual(["MIME type"]);
    cleanup();
    renderWithWarren(page, withFiles(three()), { platform });
    expect(heads()).toEqual(["MIME type"]);
  });

  test("suggests the next step while there are no files", () => {
    renderWithWarren(page, withFiles([]));
    expect(screen.getByRole("heading", { name: "No files yet" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Send files" })).toBeTruthy();
    expect(screen.queryByRole("searchbox")).toBeNull();
  });

  test("sends files from the disk to the chosen recipients", async () => {
    const fake = withFiles([]);
    const picked = new File(["x"], "plans.pdf");
    const platform = { ...fakePlatform(), pickFiles: async () => [picked] };
    const { user } = renderWithWarren(page, fake, { platform });
    await user.click(screen.getByRole("button", { name: "Send files" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Forward" }));
    await user.click(dialog.getByRole("checkbox", { name: /Mara/ }));
    await user.click(dialog.getByRole("button", { name: "Forward" }));
    await waitFor(() => expect(fake.argsOf("sendFile")).toEqual([[mara, picked]]));
  });
});
