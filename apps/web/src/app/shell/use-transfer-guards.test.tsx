import { act, cleanup } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { clientIdOf, fakeFile, fakeTransfer, me } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { useTransferGuards } from "./use-transfer-guards.ts";

const mara = clientIdOf(1);

afterEach(cleanup);

function Guarded() {
  useTransferGuards();
  return null;
}

/** Leaves the page. @returns whether the browser is asked to ask, and that in the way of older ones too. */
function leave(): readonly [now: boolean, before: unknown] {
  const event = new Event("beforeunload", { cancelable: true });
  Object.defineProperty(event, "returnValue", { value: "", writable: true });
  dispatchEvent(event);
  return [event.defaultPrevented, event.returnValue];
}

test.each([
  ["lost with the page", true],
  ["kept elsewhere", false],
])("asks before a page is closed where what it sends is %s", (_, isLostWithPage) => {
  const fake = fakeWarren();
  Object.assign(fake.warren.files, { offered: { isLostWithPage: () => isLostWithPage } });
  renderWithWarren(<Guarded />, fake);
  expect(leave()).toEqual([false, ""]);
  const message = fakeFile(me, mara, {}, { status: "transferring" }, 1);
  act(() => fake.setTransfer(fakeTransfer(message, mara, { mode: "send" })));
  expect(leave()).toEqual(isLostWithPage ? [true, true] : [false, ""]);
});
