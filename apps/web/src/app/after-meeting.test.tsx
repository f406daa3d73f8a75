import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { fakeWarren } from "../testing/fake-warren.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { AfterMeeting } from "./after-meeting.tsx";

const network = vi.hoisted(() => ({ isUp: false }));
vi.mock("../call/call-in-shell.tsx", () => {
  if (!network.isUp) throw new TypeError("Failed to fetch");
  return { CallInShell: () => <p>Bar of the call</p> };
});

afterEach(cleanup);

test("a call fetches its bar, and a banner offers to try again if that fails", async () => {
  const fake = fakeWarren();
  const early = {
    chat: fake.warren.chat.store.getState(),
    transfers: new Map(),
    clipboard: [],
    newcomers: new Set<string>(),
  };
  const { user } = renderWithWarren(<AfterMeeting early={early} />, fake);
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  await act(() => fake.warren.call.open());
  const again = await screen.findByRole("button", { name: "Try again" });
  network.isUp = true;
  await user.click(again);
  await screen.findByText("Bar of the call");
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});
