import { act, cleanup } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { clientIdOf, fakeFile, fakeTransfer, me } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { useLeaveGuard } from "./use-leave-guard.ts";

const mara = clientIdOf(1);

afterEach(cleanup);

function Guarded() {
  useLeaveGuard();
  return null;
}

/**
 * Leaves the page.
 * @returns whether the browser is told to ask, and the same in the form that older browsers read.
 */
function leave(): readonly [now: boolean, before: unknown] {
  const event = new Event("beforeunload", { cancelable: true });
  Object.defineProperty(event, "returnValue", { value: "", writable: true });
  dispatchEvent(event);
  return [event.defaultPrevented, event.returnValue];
}

test.each([
  ["lost with the page", true],
  ["kept elsewhere", false],
])("asks before closing a page that sends a file %s", (_, isLostWithPage) => {
  const fake = fakeWarren();
  Object.assign(fake.warren.files, { offered: { isLostWithPage: () => isLostWithPage } });
  renderWithWarren(<Guarded />, fake);
  expect(leave()).toEqual([false, ""]);
  const message = fakeFile(me, mara, {}, { state: "running" }, 1);
  act(() => fake.setTransfer(fakeTransfer(message, mara, { mode: "send" })));
  expect(leave()).toEqual(isLostWithPage ? [true, true] : [false, ""]);
});

test("asks before closing a page with attachments, until they are sent or removed", () => {
  const fake = fakeWarren();
  const { drafts } = fake.tab;
  renderWithWarren(<Guarded />, fake);
  act(() => drafts.change(mara, { text: "kept over a reload" }));
  expect(leave()).toEqual([false, ""]);
  act(() => drafts.attach(mara, { files: [new File(["1"], "1.png")], folders: [] }));
  expect(leave()).toEqual([true, true]);
  act(() => drafts.change(mara, { text: "", attachments: [] }));
  expect(leave()).toEqual([false, ""]);
});

test("asks before closing a page with rejected records, until they are stored", () => {
  const fake = fakeWarren();
  renderWithWarren(<Guarded />, fake);
  act(() => fake.setChat({ unsaved: 1 }));
  expect(leave()).toEqual([true, true]);
  act(() => fake.setChat({ unsaved: 0 }));
  expect(leave()).toEqual([false, ""]);
});
