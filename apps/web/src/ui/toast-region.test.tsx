import { act, cleanup, createEvent, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { loadAllOnDemand } from "./on-demand.tsx";
import { Toaster, toast } from "./toaster.tsx";

const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));
const shown = () =>
  screen.queryAllByRole("listitem").map((item) => item.querySelector("[data-title]")?.textContent);

function itemOf(title: string): HTMLElement {
  const item = screen.getByText(title).closest("li");
  if (item === null) throw new Error(`no toast ${title}`);
  return item;
}

beforeAll(loadAllOnDemand);
beforeEach(() => {
  vi.useFakeTimers();
  render(
    <>
      <button type="button">On the page</button>
      <Toaster narrow={false} label="Notifications" closeLabel="Close" />
    </>,
  );
});
afterEach(() => {
  toast.dismiss();
  pass(5_000);
  cleanup();
  vi.useRealTimers();
});

describe("toasts", () => {
  it("disappear after 4 s, or after their own duration", () => {
    act(() => {
      toast.success("Link copied");
      toast.info("Longer", { duration: 9_000 });
    });
    pass(3_500);
    expect(shown()).toEqual(["Longer", "Link copied"]);
    pass(1_500);
    expect(shown()).toEqual(["Longer"]);
    pass(6_000);
    expect(shown()).toEqual([]);
  });

  it("stay while one is loading or has no end", () => {
    act(() => {
      toast.loading("Reading");
      toast.warning("Keeps nothing", { duration: Number.POSITIVE_INFINITY });
    });
    pass(600_000);
    expect(shown()).toEqual(["Keeps nothing", "Reading"]);
  });

  it("stay while one of them has the focus, and disappear afterwards", () => {
    act(() => {
      toast.info("Ask again");
    });
    pass(1_000);
    act(() => itemOf("Ask again").focus());
    pass(60_000);
    expect(shown()).toEqual(["Ask again"]);
    // Moving focus within the toast does not count as leaving it.
    act(() => screen.getByRole("button", { name: "Close" }).focus());
    pass(60_000);
    expect(shown()).toEqual(["Ask again"]);
    act(() => screen.getByRole("button", { name: "On the page" }).focus());
    pass(5_000);
    expect(shown()).toEqual([]);
  });

  it("stay while the page is hidden", () => {
    act(() => {
      toast.info("Ask again");
    });
    pass(1_000);
    const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    pass(60_000);
    expect(shown()).toEqual(["Ask again"]);
    hidden.mockReturnValue(false);
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    pass(5_000);
    expect(shown()).toEqual([]);
    hidden.mockRestore();
  });

  it("are shown three at a time, and the next when one is gone", () => {
    act(() => {
      for (const title of ["One", "Two", "Three", "Four"]) toast.info(title);
    });
    pass(100);
    const visible = () => shown().filter((title) => itemOf(title ?? "").dataset.visible === "true");
    expect(visible()).toEqual(["Four", "Three", "Two"]);
    act(() => itemOf("Four").querySelector<HTMLElement>("[data-close-button]")?.click());
    pass(300);
    expect(visible()).toEqual(["Three", "Two", "One"]);
  });

  it("are removed 200 ms after closing", () => {
    act(() => {
      toast.info("Ask again");
    });
    pass(100);
    act(() => screen.getByRole("button", { name: "Close" }).click());
    pass(199);
    expect(itemOf("Ask again").dataset.removed).toBe("true");
    pass(1);
    expect(shown()).toEqual([]);
  });

  it.each([
    ["Alt+T", { altKey: true, key: "t", code: "KeyT" }, true],
    ["F8", { key: "F8", code: "F8" }, true],
    ["AltGr+T, which writes a character", { altKey: true, ctrlKey: true, key: "ŧ", code: "KeyT" }, false],
  ])("are reached with their keys while one types: %s", (_keys, press, isReached) => {
    const field = document.body.appendChild(document.createElement("textarea"));
    act(() => {
      toast.info("Ask again");
    });
    pass(100);
    field.focus();
    const event = createEvent.keyDown(field, press);
    // The simulated browser calls Alt so.
    Object.assign(event, { getModifierState: () => false });
    const isUnhandled = fireEvent(field, event);
    expect(document.activeElement?.contains(itemOf("Ask again"))).toBe(isReached);
    expect(isUnhandled).toBe(!isReached);
    field.remove();
  });
});
