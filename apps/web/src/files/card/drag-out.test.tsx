import { cleanup, createEvent, fireEvent, screen, waitFor } from "@testing-library/react";
import type { TransferState } from "@warren/core";
import { afterEach, expect, test, vi } from "vitest";
import { clientIdOf, fakeFile, fakePeer, roomWith } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../../testing/render-with-warren.tsx";
import { FileCard } from "./file-card.tsx";

const mara = clientIdOf(1);
const complete = { state: "complete" } as const;

function show(state: TransferState, { fileName = "quay.bin", dragsFilesOut = true, isMine = false } = {}) {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara")]));
  const message = fakeFile(mara, mara, { fileName, fileSize: 4, mimeType: "text/html" }, state, 0);
  fake.keepFile(message.file.fid, new File(["quay"], fileName));
  renderWithWarren(<FileCard message={message} isMine={isMine} onDelete={() => {}} />, fake, {
    platform: { ...fakePlatform(), dragsFilesOut },
  });
  return { source: document.querySelector("[draggable=true]") };
}

/**
 * Starts a drag.
 * @returns the dragged data; null if the drag carries none.
 */
function drag(source: Element): Record<string, string> | null {
  const data: Record<string, string> = {};
  const dataTransfer = { setData: (type: string, value: string) => Object.assign(data, { [type]: value }) };
  const event = createEvent.dragStart(source);
  Object.assign(event, { dataTransfer });
  fireEvent(source, event);
  return event.defaultPrevented ? null : data;
}

/** Hovers the source and drags it once the file is loaded. */
async function dragged(source: Element | null): Promise<string> {
  if (source === null) throw new Error("nothing can be dragged");
  fireEvent.pointerEnter(source);
  return waitFor(() => drag(source)?.DownloadURL ?? expect.fail("not ready"));
}

afterEach(cleanup);

test("a complete file can be dragged out of the window, as plain bytes", async () => {
  const made = vi.spyOn(URL, "createObjectURL");
  const { source } = show(complete);
  const left = await dragged(source);
  expect(left).toBe(`application/octet-stream:quay.bin:${made.mock.results[0]?.value}`);
  const [blob] = made.mock.calls[0] ?? [];
  expect(await (blob as Blob).text()).toBe("quay");
});

test("a hostile name neither contains a path nor truncates the name", async () => {
  const { source } = show(complete, { fileName: "../a:text/html:https://evil.example/\u202Egpj.exe" });
  const left = await dragged(source);
  expect(left).toMatch(/^application\/octet-stream:[^:/\\\u202E]+:blob:/);
});

test("a drag that starts before the file is loaded carries no data", () => {
  const { source } = show(complete);
  expect(source && drag(source)).toBeNull();
});

test("the address is revoked a minute after the drag, and the next drag gets a new one", async () => {
  const revoke = vi.spyOn(URL, "revokeObjectURL");
  const { source } = show(complete);
  const first = await dragged(source);
  vi.useFakeTimers();
  fireEvent.dragEnd(source ?? expect.fail());
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  expect(revoke).toHaveBeenCalledExactlyOnceWith(first.slice(first.indexOf("blob:")));
  expect(await dragged(source)).not.toBe(first);
});

test.each([
  ["is incomplete", { state: "running" } as const, {}],
  ["was offered by me", complete, { isMine: true }],
  ["is in a browser that cannot drag files out", complete, { dragsFilesOut: false }],
])("a file that %s cannot be dragged", (_why, state, options) => {
  expect(show(state, options).source).toBeNull();
  expect(screen.getByText("quay.bin")).toBeTruthy();
});
