import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { clientIdOf, fakeFile, fakeTransfer } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { TransfersRing } from "./transfers-button.tsx";

const mara = clientIdOf(1);

afterEach(cleanup);

test("on a phone the transfers button replaces the logo while a transfer is active or paused", () => {
  const fake = fakeWarren();
  renderWithWarren(<TransfersRing>mark</TransfersRing>, fake);
  expect(screen.getByText("mark")).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();

  const transfer = fakeTransfer(fakeFile(mara, mara, {}, { state: "running" }, 1), mara);
  act(() => fake.setTransfer({ ...transfer, now: { state: "running" } }));
  expect(screen.getByRole("button", { name: "Transfers, 1 active" })).toBeTruthy();
  act(() => fake.setTransfer({ ...transfer, now: { state: "pausedHere" } }));
  expect(screen.getByRole("button", { name: "Transfers" })).toBeTruthy();
  act(() => fake.setTransfer({ ...transfer, now: { state: "complete" } }));
  expect(screen.getByText("mark")).toBeTruthy();
});
