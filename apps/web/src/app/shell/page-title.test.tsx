import { act, cleanup } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clientIdOf, fakeFile, fakeTransfer, me } from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { PageTitle } from "./page-title.ts";

const mara = clientIdOf(1);
const file = fakeFile(me, mara, { fileSize: 1_000 }, { state: "running" }, 0);
let fake: FakeWarren;

beforeEach(() => {
  fake = fakeWarren();
  renderWithWarren(<PageTitle />, fake);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test("the title shows the progress of active transfers until they are complete", () => {
  expect(document.title).toBe("harbour · Warren");
  act(() => fake.setTransfer(fakeTransfer(file, mara, { transferredBytes: 456 })));
  expect(document.title).toBe("45% · harbour · Warren");
  act(() => fake.setTransfer(fakeTransfer(file, mara, { now: { state: "complete" } })));
  expect(document.title).toBe("harbour · Warren");
});

test("the title changes once a second, not with every update, and then shows the last one", () => {
  vi.useFakeTimers();
  const move = (transferredBytes: number) =>
    act(() => fake.setTransfer(fakeTransfer(file, mara, { transferredBytes })));
  move(100);
  move(200);
  move(300);
  expect(document.title).toBe("10% · harbour · Warren");
  act(() => vi.advanceTimersByTime(1_000));
  expect(document.title).toBe("30% · harbour · Warren");
});
