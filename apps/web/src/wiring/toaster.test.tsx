import { act, cleanup, createEvent, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Dialog } from "../ui/overlays/dialog.tsx";
import { toast } from "./toast.ts";
import { Toaster } from "./toaster.tsx";

const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));
const shown = () =>
  screen.queryAllByRole("listitem").map((item) => item.querySelector(".font-medium")?.textContent);

function itemOf(title: string): HTMLElement {
  const item = screen.getByText(title).closest("li");
  if (item === null) throw new Error(`no toast ${title}`);
  return item;
}

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <>
      <button type="button">On the page</button>
      <Toaster narrow={false} label="Notifications" />
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
  it("show an error once that comes again, and each that has something to press", () => {
    act(() => {
      for (const description of ["full", "full", "refused"]) toast.error("Not copied", { description });
      for (let time = 0; time < 2; time++)
        toast.error("Not sent", { action: { label: "Try again", onClick: () => {} } });
    });
    expect(shown()).toEqual(["Not copied", "Not copied", "Not sent", "Not sent"]);
  });

  it("disappear after 4 s, or after their own duration", () => {
    act(() => {
      toast.success("Link copied");
      toast.info("Longer", { durationMs: 9_000 });
    });
    pass(3_500);
    expect(shown()).toEqual(["Link copied", "Longer"]);
    pass(1_500);
    expect(shown()).toEqual(["Longer"]);
    pass(6_000);
    expect(shown()).toEqual([]);
  });

  it("stay while one is loading or has no end", () => {
    act(() => {
      toast.loading("Reading");
      toast.warning("Keeps nothing", { durationMs: Number.POSITIVE_INFINITY });
    });
    pass(600_000);
    expect(shown()).toEqual(["Reading", "Keeps nothing"]);
  });

  it("change in place while loading, and disappear once done", () => {
    act(() => {
      toast.loading("Saving", { id: "saving", description: "1 of 2" });
    });
    const item = itemOf("Saving");
    act(() => {
      toast.loading("Saving", { id: "saving", description: "2 of 2" });
    });
    expect(itemOf("2 of 2")).toBe(item);
    act(() => {
      toast.success("Saved", { id: "saving" });
    });
    pass(3_900);
    expect(shown()).toEqual(["Saved"]);
    pass(500);
    expect(shown()).toEqual([]);
  });

  it("are shown for their whole time when they are repeated", () => {
    act(() => {
      toast.info("Once", { id: "same" });
    });
    pass(3_000);
    act(() => {
      toast.info("Again", { id: "same" });
    });
    pass(3_000);
    expect(shown()).toEqual(["Again"]);
    pass(1_500);
    expect(shown()).toEqual([]);
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

  it("stay while the window is in the background", () => {
    act(() => {
      toast.info("Ask again");
    });
    pass(1_000);
    act(() => void window.dispatchEvent(new Event("blur")));
    pass(60_000);
    expect(shown()).toEqual(["Ask again"]);
    act(() => void window.dispatchEvent(new Event("focus")));
    pass(5_000);
    expect(shown()).toEqual([]);
  });

  it("disappear though the pointer was over the last one when it was closed", () => {
    act(() => {
      toast.info("First");
    });
    pass(100);
    fireEvent.pointerMove(itemOf("First"));
    act(() => screen.getByRole("button", { name: "Close" }).click());
    pass(300);
    act(() => {
      toast.info("Second");
    });
    pass(5_000);
    expect(shown()).toEqual([]);
  });

  it("do not take Escape from the dialog or menu that has the focus", () => {
    const cancel = vi.fn();
    const dialog = { open: true, cancel, returnFocus() {} };
    const { unmount } = render(
      <Dialog dialog={dialog} title="Clipboard texts">
        <button type="button">Copy again</button>
      </Dialog>,
    );
    act(() => {
      toast.info("Copy success");
    });
    pass(100);
    fireEvent.keyDown(screen.getByText("Copy again"), { key: "Escape" });
    expect(cancel).toHaveBeenCalledTimes(1);
    unmount();
  });

  it("are removed 200 ms after closing", () => {
    act(() => {
      toast.info("Ask again");
    });
    pass(100);
    act(() => screen.getByRole("button", { name: "Close" }).click());
    pass(300);
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

  it("shown before their region exists appear once it does", () => {
    cleanup();
    toast.error("Too early");
    toast.dismiss(toast.info("Taken back"));
    render(<Toaster narrow={false} label="Notifications" />);
    expect(shown()).toContain("Too early");
    pass(300);
    expect(shown()).toEqual(["Too early"]);
  });

  it("dismissed at once disappear, and a repeated one appears", () => {
    act(() => {
      for (let index = 0; index < 20; index++) toast.dismiss(toast.info(`Passing ${index}`));
      const id = toast.info("First");
      toast.dismiss(id);
      toast.info("Again", { id });
    });
    pass(300);
    expect(shown()).toEqual(["Again"]);
  });
});
