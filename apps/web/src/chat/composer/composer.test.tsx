import { act, cleanup, createEvent, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { WarrenError } from "@warren/protocol";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { errorText } from "../../i18n/i18n.ts";
import type { ClipboardRead } from "../../platform/clipboard.ts";
import { fakeClipboard } from "../../testing/fake-clipboard.ts";
import { clientIdOf, fakeContact, fakePeer, roomWith } from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../../testing/render-with-warren.tsx";
import { Popover } from "../../ui/overlays/popover.tsx";
import { shortcuts, shortcutsOf } from "../../wiring/shortcuts/shortcuts.ts";
import { toast } from "../../wiring/toast.ts";
import { Composer } from "./composer.tsx";
import { type ComposerKey, sendsMessage } from "./composer-keys.ts";

const mara = clientIdOf(1);
const jun = clientIdOf(3);
let fake: FakeWarren;

beforeEach(() => {
  fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.setChat({ contacts: { [jun]: fakeContact(3, "Jun Tanaka") } });
});

/** A browser in which only the given media query matches. */
function matchOnly(media: string): void {
  vi.spyOn(window, "matchMedia").mockImplementation((query) =>
    Object.assign(new EventTarget() as MediaQueryList, { matches: query === media, media: query }),
  );
}

/** What was sent so far, beside that one types. */
const sent = () => fake.calls.filter(({ verb }) => verb.startsWith("send") && verb !== "sendTyping");

afterEach(() => {
  vi.restoreAllMocks();
  toast.dismiss();
  cleanup();
});

const field = (): HTMLTextAreaElement => screen.getByRole("textbox", { name: "Message" });
const show = (id = mara) => renderWithWarren(<Composer key={id} conversationId={id} />, fake);

describe("the composer", () => {
  test("sends with Ctrl+Enter, empties itself and keeps the focus", async () => {
    const { user } = show();
    await user.type(field(), "Morning{Control>}{Enter}{/Control}");
    expect(fake.argsOf("sendText")).toEqual([[mara, "Morning"]]);
    expect(field().value).toBe("");
    expect(document.activeElement).toBe(field());
  });

  test("takes the focus as it opens, except from an open popover, which would close", async () => {
    let showComposer: (isShown: boolean) => void = () => {};
    function Page() {
      const [isShown, setShown] = useState(false);
      showComposer = (next) => act(() => setShown(next));
      return (
        <>
          <Popover trigger={<button type="button">Open</button>} label="Panel">
            Content
          </Popover>
          {isShown && <Composer conversationId={mara} />}
        </>
      );
    }
    const { user } = renderWithWarren(<Page />, fake);
    await user.click(screen.getByRole("button", { name: "Open" }));
    showComposer(true);
    expect(document.activeElement).toBe(screen.getByRole("dialog", { name: "Panel" }));
    await user.keyboard("{Escape}");
    showComposer(false);
    showComposer(true);
    expect(document.activeElement).toBe(field());
  });

  test("inserts a line break with Enter, or sends if the option is on", async () => {
    const { user } = show();
    await user.type(field(), "a{Enter}b");
    expect(field().value).toBe("a\nb");
    cleanup();
    fake.setOptions({ enterSends: true });
    const again = show();
    await again.user.type(field(), "{Enter}");
    expect(fake.argsOf("sendText")).toEqual([[mara, "a\nb"]]);
  });

  test("ignores Enter while an input method is composing", () => {
    show();
    fireEvent.change(field(), { target: { value: "にほ" } });
    fireEvent.keyDown(field(), { key: "Enter", ctrlKey: true, isComposing: true });
    expect(fake.argsOf("sendText")).toEqual([]);
  });

  test("shows why the chosen files cannot be opened", async () => {
    const platform = {
      ...fakePlatform(),
      pickFiles: () => Promise.reject(new WarrenError("source-missing")),
    };
    const { user } = renderWithWarren(<Composer conversationId={mara} />, fake, { platform });
    await user.click(screen.getByRole("button", { name: /^Send files/ }));
    await user.click(await screen.findByRole("menuitem", { name: "Files" }));
    expect(await screen.findByText(errorText({ code: "source-missing", values: {} }))).toBeTruthy();
  });

  test("names the recipient as far as there is room", () => {
    fake.setRoom(roomWith([fakePeer(1, "Maximilianalexandrinus of Somewhere")]));
    show();
    expect(field().placeholder).toContain("Maximilianalexandri…");
    cleanup();
    fake.setRoom(roomWith([fakePeer(1, "Maximilianalexandrin Smith")]));
    show();
    expect(field().placeholder).toContain("Maximilianalexandrin,");
    cleanup();
    fake.setRoom(roomWith([fakePeer(1, "👩‍👩‍👧".repeat(4))]));
    show();
    expect(field().placeholder).toContain("👩‍👩‍👧👩‍👩‍👧…,");
  });

  test("keeps a draft for each conversation", async () => {
    const { user, rerender } = show();
    await user.type(field(), "half a thought");
    cleanup();
    show(jun);
    expect(field().value).toBe("");
    cleanup();
    show();
    expect(field().value).toBe("half a thought");
    expect(rerender).toBeTypeOf("function");
  });

  test("sends nothing while empty, and says why", async () => {
    const { user } = show();
    const send = screen.getByRole("button", { name: "Send", description: "Write something first" });
    await user.type(field(), "  {Control>}{Enter}{/Control}");
    await user.click(send);
    expect(fake.argsOf("sendText")).toEqual([]);
  });

  test("sends to everyone also while nobody else is there", async () => {
    fake.setRoom(roomWith([]));
    const { user } = show("everyone");
    await user.type(field(), "Anyone?{Control>}{Enter}{/Control}");
    expect(fake.argsOf("sendText")).toEqual([["everyone", "Anyone?"]]);
  });

  test("waits for a recipient when writing to everyone where no log keeps it, and says so", async () => {
    fake.setRoom(roomWith([]));
    fake.setRoomLog(false);
    const { user } = show("everyone");
    expect(screen.getByRole("button", { name: "Send", description: "Nobody else is here" })).toBeTruthy();
    await user.type(field(), "Anyone?{Control>}{Enter}{/Control}");
    expect(fake.argsOf("sendText")).toEqual([]);
    expect(field().value).toBe("Anyone?");
    expect(screen.getByText("Nobody else is here", { selector: "[role=status]" })).toBeTruthy();
  });

  test("says that we are not in a room, rather than that nobody else is", async () => {
    fake.setRoom({ status: "disconnected", error: null });
    show("everyone");
    expect(screen.getByRole("button", { name: "Send", description: "Not in a room" })).toBeTruthy();
  });

  test("says that a message to an absent peer will be pending, in fewer words on a phone", () => {
    show(jun);
    expect(field().placeholder).toBe("Message Jun. Delivered when they are back.");
    cleanup();
    matchOnly("(width < 48rem)");
    show(jun);
    expect(field().placeholder).toBe("Leave Jun a message");
  });

  test("mentions dropping files if there is space and a mouse", () => {
    show();
    expect(field().placeholder).toBe("Message Mara, or drop files");
    cleanup();
    matchOnly("(pointer: coarse)");
    show();
    expect(field().placeholder).toBe("Message Mara");
    cleanup();
    show("everyone");
    expect(field().placeholder).toBe("Message everyone");
    cleanup();
    matchOnly("(width < 48rem)");
    show();
    expect(field().placeholder).toBe("Message Mara");
  });

  test("offers to send a too long message as a file", async () => {
    const { user } = show();
    fireEvent.change(field(), { target: { value: "é".repeat(102_401) } });
    expect(
      screen.getByRole("button", {
        name: "Send",
        description: "Too long. A message can hold 205 kB.",
      }),
    ).toBeTruthy();
    fireEvent.keyDown(field(), { key: "Enter", ctrlKey: true });
    expect(fake.argsOf("sendText")).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Send as file" }));
    const [conversation, file] = fake.argsOf("sendFile")[0] ?? [];
    expect(conversation).toBe(mara);
    expect(file).toMatchObject({ name: "Message.txt", size: 204_802 });
    expect(field().value).toBe("");
  });

  test("restores a text that could not be stored, and says why", async () => {
    fake.fail("sendText", new WarrenError("storage-failed", { reason: "x" }));
    const { user } = show();
    await user.type(field(), "Keep me{Control>}{Enter}{/Control}");
    await waitFor(() => expect(field().value).toBe("Keep me"));
    expect(await screen.findByText(/This browser could not save data/)).toBeTruthy();
  });

  /** Pastes into the field. @returns whether the browser's own paste was prevented. */
  function paste(texts: Readonly<Record<string, string>>, files: readonly File[] = []): boolean {
    const event = createEvent.paste(field(), { clipboardData: fakeClipboard(texts, files) });
    fireEvent(field(), event);
    return event.defaultPrevented;
  }
  const attachments = () => screen.queryByRole("list", { name: "Attachments" })?.textContent;
  const picture = new File(["x"], "image.png", { type: "image/png" });

  test("keeps pasted files until they are sent, after the text written for them", async () => {
    const { user } = show();
    const [shot, plan] = [new File(["x"], "shot.png"), new File(["y"], "plan.pdf")];
    expect(paste({}, [shot])).toBe(true);
    expect(paste({}, [plan])).toBe(true);
    const list = within(screen.getByRole("list", { name: "Attachments" }));
    expect(list.getAllByRole("listitem")).toHaveLength(2);
    expect(sent()).toEqual([]);
    await user.type(field(), "Here it is{Control>}{Enter}{/Control}");
    await waitFor(() => expect(fake.argsOf("sendTree")).toHaveLength(1));
    const files = [shot, plan].map((file) => ({ path: file.name, file }));
    const tree = { kind: "files", name: shot.name, files, emptyFolders: [] };
    expect(sent()).toEqual([
      { verb: "sendText", args: [mara, "Here it is"] },
      { verb: "sendTree", args: [mara, tree] },
    ]);
    expect(screen.queryByRole("list", { name: "Attachments" })).toBeNull();
  });

  test("sends the caption of a picture after it, and keeps both where the picture is not sent", async () => {
    fake.setOptions({ maxFileSize: 2 });
    const { user } = show();
    paste({}, [new File(["xy"], "shot.png", { type: "image/png" })]);
    await user.type(field(), "The quay{Control>}{Enter}{/Control}");
    await waitFor(() => expect(fake.argsOf("sendText")).toHaveLength(1));
    expect(sent().map(({ verb }) => verb)).toEqual(["sendFile", "sendText"]);
    paste({}, [new File(["xyz"], "large.png", { type: "image/png" })]);
    await user.type(field(), "Too large{Control>}{Enter}{/Control}");
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(field().value).toBe("Too large"));
    expect(fake.tab.drafts.of(mara).attachments).toHaveLength(1);
    expect(fake.argsOf("sendText")).toHaveLength(1);
  });

  test("keeps the caption of a picture that could not be stored, without the picture that was sent", async () => {
    fake.fail("sendText", new WarrenError("storage-failed", { reason: "x" }));
    const { user } = show();
    paste({}, [new File(["x"], "shot.png", { type: "image/png" })]);
    await user.type(field(), "The quay{Control>}{Enter}{/Control}");
    await waitFor(() => expect(field().value).toBe("The quay"));
    expect(fake.tab.drafts.of(mara)).toMatchObject({ text: "The quay", attachments: [] });
    expect(fake.argsOf("sendFile")).toHaveLength(1);
  });

  test("sends attachments without text, lets one be removed, and leaves pasted text alone", async () => {
    const { user } = show();
    const [shot, plan] = [new File(["x"], "shot.png"), new File(["y"], "plan.pdf")];
    paste({}, [shot, plan]);
    await user.click(screen.getByRole("button", { name: "Remove plan.pdf" }));
    await user.click(screen.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(fake.argsOf("sendFile")).toEqual([[mara, shot]]));
    expect(fake.argsOf("sendText")).toEqual([]);
    expect(paste({ "text/plain": "words" })).toBe(false);
  });

  test("keeps attachments with the conversation they were pasted into", () => {
    show();
    paste({}, [new File(["x"], "shot.png")]);
    cleanup();
    show(jun);
    expect(screen.queryByRole("list", { name: "Attachments" })).toBeNull();
    cleanup();
    show();
    expect(screen.getByRole("list", { name: "Attachments" })).toBeTruthy();
  });

  test("attaches a picture and leaves its caption to the browser", () => {
    show();
    expect(paste({ "text/plain": "a caption of one line" }, [picture])).toBe(false);
    expect(attachments()).toContain("image.png");
  });

  test("offers the picture of a pasted table", async () => {
    const { user } = show();
    const table = { "text/plain": "Apples\t3", "text/html": "<table><tr><td>Apples<td>3</table>" };
    expect(paste(table, [picture])).toBe(false);
    expect(attachments()).toBeUndefined();
    await screen.findByText("The picture of this text was left out");
    await user.click(screen.getByRole("button", { name: "Attach" }));
    expect(attachments()).toContain("image.png");
  });

  test("inserts the words of pasted markup at the cursor", async () => {
    const { user } = show();
    await user.type(field(), "before after");
    field().setSelectionRange(7, 12);
    expect(paste({ "text/html": "<p>only <b>markup</b></p>" })).toBe(true);
    expect(field().value).toBe("before only markup");
  });

  test("says that a paste has nothing to insert or attach", async () => {
    show();
    paste({ "text/html": '<img src="https://example.com/a.png">' });
    expect(await screen.findByText("There is no text, picture or file to paste")).toBeTruthy();
  });

  test("keeps everything if the text could not be stored", async () => {
    fake.fail("sendText", new WarrenError("storage-failed", { reason: "x" }));
    const { user } = show();
    paste({}, [new File(["x"], "shot.png")]);
    await user.type(field(), "Keep me{Control>}{Enter}{/Control}");
    await waitFor(() => expect(field().value).toBe("Keep me"));
    expect(screen.getByRole("list", { name: "Attachments" })).toBeTruthy();
    expect(fake.argsOf("sendFile")).toEqual([]);
  });

  test("keeps the attachments where the size question is cancelled, and not the text already sent", async () => {
    fake.setOptions({ maxFileSize: 1 });
    const { user } = show();
    paste({}, [new File(["xyz"], "shot.png")]);
    await user.type(field(), "Here it is{Control>}{Enter}{/Control}");
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Cancel" }));
    expect(await screen.findByRole("list", { name: "Attachments" })).toBeTruthy();
    expect(fake.tab.drafts.of(mara)).toMatchObject({ text: "", attachments: [{ kind: "file" }] });
    expect(fake.argsOf("sendText")).toHaveLength(1);
    expect(fake.argsOf("sendFile")).toEqual([]);
  });

  test("sends nothing into the room that we went to while the size was in question", async () => {
    fake.setOptions({ maxFileSize: 1 });
    const { user } = show("everyone");
    paste({}, [new File(["xyz"], "shot.png")]);
    await user.click(screen.getByRole("button", { name: "Send" }));
    const question = await screen.findByRole("dialog");
    act(() => fake.setChat({ room: "attic" }));
    await user.click(within(question).getByRole("button", { name: "Send anyway" }));
    expect(await screen.findByText("shot.png was not sent")).toBeTruthy();
    expect(fake.argsOf("sendFile")).toEqual([]);
  });

  test("keeps attachments that could not be sent, before what was attached meanwhile", async () => {
    fake.fail("sendFile", new WarrenError("storage-failed", { reason: "x" }));
    fake.setOptions({ maxFileSize: 1 });
    const { user } = show();
    paste({}, [new File(["xyz"], "first.png")]);
    await user.click(screen.getByRole("button", { name: "Send" }));
    const question = await screen.findByRole("dialog");
    act(() => fake.tab.drafts.attach(mara, { files: [new File(["x"], "second.png")], folders: [] }));
    expect(fake.tab.drafts.hasAttachments()).toBe(true);
    await user.click(within(question).getByRole("button", { name: "Send anyway" }));
    expect(await screen.findByText("first.png was not sent")).toBeTruthy();
    await waitFor(() =>
      expect(
        fake.tab.drafts.of(mara).attachments.map((each) => each.kind === "file" && each.file.name),
      ).toEqual(["first.png", "second.png"]),
    );
  });

  test("keeps a text that could not be sent as a file", async () => {
    fake.fail("sendFile", new WarrenError("storage-failed", { reason: "x" }));
    const { user } = show();
    const text = "é".repeat(102_401);
    fireEvent.change(field(), { target: { value: text } });
    await user.click(screen.getByRole("button", { name: "Send as file" }));
    expect(await screen.findByText("Message.txt was not sent")).toBeTruthy();
    await waitFor(() => expect(fake.tab.drafts.of(mara).text).toBe(text));
  });

  /** A device whose picker stays open until the test resolves it. */
  function openPicker() {
    let answer = (_: readonly File[]): void => {};
    const picked = new Promise<readonly File[]>((resolve) => {
      answer = resolve;
    });
    return { platform: { ...fakePlatform(), pickFiles: () => picked }, answer };
  }

  async function pick(user: ReturnType<typeof show>["user"]): Promise<void> {
    await user.click(screen.getByRole("button", { name: /^Send files/ }));
    await user.click(await screen.findByRole("menuitem", { name: "Files" }));
  }

  test("keeps what was picked for a room that was left meanwhile with that room's draft", async () => {
    const { platform, answer } = openPicker();
    const { user } = renderWithWarren(<Composer conversationId="everyone" />, fake, { platform });
    const { room: harbour } = fake.warren.chat.store.getState();
    await pick(user);
    const file = new File(["x"], "harbour.txt");
    act(() => fake.setChat({ room: "attic" }));
    answer([file]);
    await waitFor(() => expect(fake.tab.drafts.of(harbour).attachments).toMatchObject([{ file }]));
    expect(fake.tab.drafts.of("everyone").attachments).toEqual([]);
    expect(fake.argsOf("sendFile")).toEqual([]);
  });

  test("sends the clipboard by its button after asking once", async () => {
    const read: ClipboardRead = { status: "read", text: "npm start", html: "", files: [] };
    const { user } = renderWithWarren(<Composer conversationId={mara} />, fake, {
      platform: fakePlatform(read),
    });
    const button = screen.getByRole("button", { name: "Send clipboard text" });
    await user.click(button);
    const question = await screen.findByRole("alertdialog", { name: "Send your clipboard to Mara?" });
    expect(question.textContent).toContain("npm start");
    expect(within(question).queryByRole("checkbox")).toBeNull();
    await user.click(within(question).getByRole("button", { name: "Cancel" }));
    expect(fake.argsOf("sendClipboard")).toEqual([]);
    await user.click(button);
    await screen.findByRole("alertdialog");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    await user.click(button);
    await waitFor(() => expect(fake.argsOf("sendClipboard")).toHaveLength(2));
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });

  test("sends the clipboard to no other room than the one of the press", async () => {
    let answer = (_: ClipboardRead): void => {};
    const read = new Promise<ClipboardRead>((resolve) => {
      answer = resolve;
    });
    const platform = { ...fakePlatform(), readClipboard: () => read };
    const { user } = renderWithWarren(<Composer conversationId="everyone" />, fake, { platform });
    await user.click(screen.getByRole("button", { name: /^Send files/ }));
    await user.click(await screen.findByRole("menuitem", { name: "Clipboard text" }));
    act(() => fake.setChat({ room: "attic" }));
    answer({ status: "read", text: "for the harbour", html: "", files: [] });
    await screen.findByRole("alertdialog");
    await user.keyboard("{Enter}");
    expect(await screen.findByText("Not connected. Try again when they are here.")).toBeTruthy();
    expect(fake.argsOf("sendClipboard")).toEqual([]);
  });

  test("offers files picked together as one, and reports when they were not sent", async () => {
    fake.fail("sendTree", new WarrenError("file-too-large", { sizeBytes: 2, limitBytes: 1 }));
    const [a, b] = [new File(["a"], "a.txt"), new File(["b"], "b.txt")];
    const platform = { ...fakePlatform(), pickFiles: async () => [a, b] };
    const { user } = renderWithWarren(<Composer conversationId={mara} />, fake, { platform });
    await pick(user);
    const files = [a, b].map((file) => ({ path: file.name, file }));
    await waitFor(() =>
      expect(fake.argsOf("sendTree")).toEqual([
        [mara, { kind: "files", name: "a.txt", files, emptyFolders: [] }],
      ]),
    );
    expect(fake.argsOf("sendFile")).toEqual([]);
    expect(await screen.findByText("a.txt and 1 more was not sent")).toBeTruthy();
  });

  test("sends picked files where the picker was opened, whatever is shown by then", async () => {
    const { platform, answer } = openPicker();
    const { user } = renderWithWarren(<Composer conversationId={mara} />, fake, { platform });
    await pick(user);
    cleanup();
    show(jun);
    const file = new File(["a"], "a.txt");
    answer([file]);
    await waitFor(() => expect(fake.argsOf("sendFile")).toEqual([[mara, file]]));
  });

  test("keeps files as attachments if we left the room while picking them for everyone", async () => {
    const { platform, answer } = openPicker();
    const { user } = renderWithWarren(<Composer conversationId="everyone" />, fake, { platform });
    await pick(user);
    act(() => fake.setRoom({ status: "disconnected", error: null }));
    answer([new File(["a"], "a.txt")]);
    expect(await screen.findByRole("list", { name: "Attachments" })).toBeTruthy();
    expect(fake.tab.drafts.of("everyone").attachments).toHaveLength(1);
    expect(fake.argsOf("sendFile")).toEqual([]);
  });

  test("offers once, after a line break with Enter, that Enter sends", async () => {
    const platform = fakePlatform();
    const offer = "Enter again sends · Shift Enter for a new line";
    const open = () => renderWithWarren(<Composer conversationId={mara} />, fake, { platform });
    const { user } = open();
    await user.type(field(), "{Enter}a{Shift>}{Enter}{/Shift}b");
    expect(screen.queryByText(offer)).toBeNull();
    await user.type(field(), "{Enter}");
    expect(screen.getByText(offer)).toBeTruthy();
    await user.type(field(), "c");
    expect(screen.queryByText(offer)).toBeNull();
    cleanup();
    const again = open();
    await again.user.type(field(), "{Enter}");
    expect(screen.queryByText(offer)).toBeNull();
  });

  test("makes Enter send with the second one in a row, without the line of the first", async () => {
    const { user } = show();
    await user.type(field(), "a{Enter}");
    expect(field().value).toBe("a\n");
    await user.type(field(), "{Enter}");
    expect(fake.argsOf("sendText")).toEqual([[mara, "a"]]);
    expect(document.activeElement).toBe(field());
    await user.type(field(), "b{Enter}");
    expect(fake.argsOf("sendText").at(-1)).toEqual([mara, "b"]);
    await user.type(field(), "c{Shift>}{Enter}{/Shift}d{Enter}");
    expect(fake.argsOf("sendText").at(-1)).toEqual([mara, "c\nd"]);
  });

  test("sends the clipboard's text, or reports that it may not", async () => {
    await sendClipboard({ text: "https://example.org" });
    expect(fake.argsOf("sendClipboard")).toEqual([[mara, "https://example.org"]]);
    cleanup();
    const denied = show();
    await denied.user.click(screen.getByRole("button", { name: "Send clipboard text" }));
    expect(await screen.findByText(/does not let Warren read the clipboard/)).toBeTruthy();
  });

  /** Presses the button that sends the clipboard, which has asked before. */
  async function sendClipboard(content: Partial<Extract<ClipboardRead, { status: "read" }>>, id = mara) {
    const platform = fakePlatform({ status: "read", text: "", html: "", files: [], ...content });
    platform.storage.write("clipboard_sent", "true");
    const { user } = renderWithWarren(<Composer conversationId={id} />, fake, { platform });
    await user.click(screen.getByRole("button", { name: "Send clipboard text" }));
  }

  test("attaches the clipboard's picture, with its text as the caption", async () => {
    await sendClipboard({ text: "a caption", files: [picture] });
    expect(attachments()).toContain("image.png");
    expect(field().value).toBe("a caption");
    expect(fake.argsOf("sendClipboard")).toEqual([]);
  });

  test("sends the words of a clipboard with only markup", async () => {
    await sendClipboard({ html: "only <b>markup</b>" });
    expect(fake.argsOf("sendClipboard")).toEqual([[mara, "only markup"]]);
  });

  test("keeps a clipboard text that is too long, or that nobody can receive, in the draft", async () => {
    const long = "word ".repeat(61_440);
    await sendClipboard({ text: long });
    expect(field().value).toBe(long);
    expect(screen.getByRole("button", { name: "Send as file" })).toBeTruthy();
    cleanup();
    await sendClipboard({ text: "words" }, jun);
    expect(field().value).toBe("words");
    expect(fake.argsOf("sendClipboard")).toEqual([]);
  });

  test("says that the clipboard is empty", async () => {
    await sendClipboard({});
    expect(await screen.findByText("There is no text, picture or file to paste")).toBeTruthy();
  });
});

describe("a key in the composer", () => {
  const enter: ComposerKey = {
    key: "Enter",
    keyCode: 13,
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    isComposing: false,
  };
  const byDefault = { enterSends: false, isTouch: false };
  const enterSends = { enterSends: true, isTouch: false };
  const onTouch = { enterSends: true, isTouch: true };

  test.each([
    ["Enter begins a line", enter, byDefault, false],
    ["Ctrl and Enter send", { ...enter, ctrlKey: true }, byDefault, true],
    ["Command and Enter send", { ...enter, metaKey: true }, byDefault, true],
    ["Shift and Enter send", { ...enter, shiftKey: true }, byDefault, true],
    ["Alt and Enter begin a line", { ...enter, altKey: true }, enterSends, false],
    ["Enter sends where the option is on", enter, enterSends, true],
    ["then Shift and Enter begin a line", { ...enter, shiftKey: true }, enterSends, false],
    ["and Ctrl and Enter still send", { ...enter, ctrlKey: true }, enterSends, true],
    ["on touch Enter begins a line, whatever the option", enter, onTouch, false],
    ["a keyboard at a touch screen sends with Ctrl", { ...enter, ctrlKey: true }, onTouch, true],
    [
      "Enter that ends a composition sends nothing",
      { ...enter, ctrlKey: true, isComposing: true },
      byDefault,
      false,
    ],
    ["nor where only the key code tells", { ...enter, ctrlKey: true, keyCode: 229 }, byDefault, false],
    ["other keys send nothing", { ...enter, key: "a", ctrlKey: true }, enterSends, false],
  ])("%s", (_name, press, options, sends) => {
    expect(sendsMessage(press, options)).toBe(sends);
  });

  test.each([true, false])("matches the list of shortcuts while Enter sends: %s", (enterSends) => {
    const pressed = (keys: string) => {
      const held = keys.split("+");
      const idle = { keyCode: 13, metaKey: false, altKey: false, isComposing: false };
      return sendsMessage(
        { ...idle, key: "Enter", ctrlKey: held.includes("Ctrl"), shiftKey: held.includes("Shift") },
        { enterSends, isTouch: false },
      );
    };
    const all = shortcutsOf("writing", { enterSends, enableClipboard: true });
    const listed = all.filter((name) => name !== "editLast");
    expect(listed).toHaveLength(2);
    for (const name of listed)
      for (const keys of shortcuts[name].keys) expect(pressed(keys)).toBe(name.startsWith("send"));
  });
});
