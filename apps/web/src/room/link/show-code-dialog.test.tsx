import { act, cleanup, screen, within } from "@testing-library/react";
import type { ShownCodeState } from "@warren/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { cancelDialog } from "../../testing/cancel-dialog.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { openDialog } from "../../wiring/dialogs/open-dialog.ts";
import { ShowCodeDialog } from "./show-code-dialog.tsx";

const link = "https://warren.example/r/harbour#tidal";

async function show() {
  const fake = fakeWarren();
  const shown: { readonly link: string; readonly store: ReturnType<typeof stateStore>; isOpen: boolean }[] =
    [];
  fake.setShortCodes({
    show: (given) => {
      const code = { link: given, store: stateStore(), isOpen: true };
      shown.push(code);
      const close = () => {
        code.isOpen = false;
      };
      const shownAt = Date.now();
      const remainingMs = () => 600_000 - (Date.now() - shownAt);
      return { store: code.store, remainingMs, close } as never;
    },
  });
  const view = renderWithWarren(null, fake);
  await act(async () => void openDialog(ShowCodeDialog, { link }));
  const turn = (state: ShownCodeState) => act(() => shown.at(-1)?.store.setState(state, true));
  return { ...view, shown, turn };
}

function stateStore() {
  return createStore<ShownCodeState>(() => ({ status: "opening" }));
}

const said = () => within(screen.getByRole("dialog")).getByRole("status").textContent;
const words = ["falcon", "mirror", "walrus"] as const;

afterEach(() => {
  cancelDialog();
  cleanup();
  vi.useRealTimers();
});

describe("a code", () => {
  it("is shown for the link, with where to type it and how long it is valid", async () => {
    const { shown, turn } = await show();
    expect(shown.map((code) => code.link)).toEqual([link]);
    expect(said()).toBe("Getting a code.");
    turn({ status: "shown", words });
    expect(said()).toMatch(/^falcon\s+mirror\s+walrus$/);
    expect(screen.getByText(/^Open warren.example there/)).not.toBeNull();
    expect(screen.getByText("Works once, for 10 more minutes, while this dialog is open.")).not.toBeNull();
  });

  it.each([
    [{ status: "used" }, "The code was used. The other device has the link now."],
    [{ status: "wrong" }, "Another device tried the code and failed, so it no longer works. Get a new one."],
    [{ status: "expired" }, "The code has expired. Get a new one."],
    [
      { status: "failed", error: { code: "rate-limited", values: {} } },
      "Too many requests. Wait a minute and try again.",
    ],
  ] satisfies [ShownCodeState, string][])("that ended stays, and says so: %j", async (state, sentence) => {
    const { turn } = await show();
    turn({ status: "shown", words });
    turn(state);
    expect(said()).toBe(sentence);
    expect(screen.queryByText(/Works once/)).toBeNull();
  });

  it("counts its minutes down", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { turn } = await show();
    turn({ status: "shown", words });
    await act(() => vi.advanceTimersByTimeAsync(8 * 60_000 + 5_000));
    expect(screen.getByText("Works once, for 2 more minutes, while this dialog is open.")).not.toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(screen.getByText("Works once, for 1 more minute, while this dialog is open.")).not.toBeNull();
  });

  it("is withdrawn for a new one, and when the dialog closes", async () => {
    const { shown, turn, user } = await show();
    turn({ status: "wrong" });
    await user.click(screen.getByRole("button", { name: "New code" }));
    expect(shown.map(({ isOpen }) => isOpen)).toEqual([false, true]);
    expect(said()).toBe("Getting a code.");
    await user.click(screen.getByRole("button", { name: "Done" }));
    await vi.waitFor(() => expect(shown.map(({ isOpen }) => isOpen)).toEqual([false, false]));
  });
});
