import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { clientIdOf, fakeContact } from "../testing/fake-records.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { toast } from "../ui/toaster.tsx";
import { DoorNews } from "./door-news.tsx";

const mara = clientIdOf(1);
const stranger = clientIdOf(2);

afterEach(() => {
  toast.dismiss();
  cleanup();
});

test("shows a newcomer who needs approval with the reason, and approves with one click", async () => {
  const fake = fakeWarren();
  fake.setChat({ contacts: { [mara]: { ...fakeContact(1, "Mara Lindqvist"), proven: true } } });
  const { user } = renderWithWarren(<DoorNews />, fake);
  act(() => fake.needApproval(mara));
  expect(await screen.findByText("Mara Lindqvist wants to join")).toBeTruthy();
  expect(screen.getByText(/^Ten wrong passwords in ten minutes/)).toBeTruthy();
  expect(fake.argsOf("letIn")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Let in" }));
  expect(fake.argsOf("letIn")).toEqual([[mara]]);
});

test('calls a new or unverified client "someone"', async () => {
  const fake = fakeWarren();
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara Lindqvist") } });
  renderWithWarren(<DoorNews />, fake);
  act(() => fake.needApproval(mara));
  expect(await screen.findByText("Someone wants to join")).toBeTruthy();
  act(() => toast.dismiss());
  act(() => fake.needApproval(stranger));
  expect(await screen.findByText("Someone wants to join")).toBeTruthy();
});
