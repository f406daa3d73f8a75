import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Dialog, type DialogProps } from "./dialog.tsx";

afterEach(cleanup);

describe("the focus of a dialog", () => {
  const show = (children: ReactNode, onClose = () => {}, rest: Pick<DialogProps, "initialFocus"> = {}) =>
    render(
      <Dialog open onClose={onClose} title="Clipboard texts" closeLabel="Close" {...rest}>
        {children}
      </Dialog>,
    );

  it("begins at its first control", () => {
    show(<button type="button">Copy again</button>);
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Copy again" }));
  });

  it("begins at the dialog itself where it is read first, with its controls next", async () => {
    show(<button type="button">Copy again</button>, undefined, { initialFocus: "top" });
    expect(document.activeElement).toBe(screen.getByRole("dialog", { name: "Clipboard texts" }));
    await userEvent.setup().tab();
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Copy again" }));
  });

  it("begins at the dialog itself where Close is the only control, so that one Escape closes it", async () => {
    const onClose = vi.fn();
    show(<p>No clipboard text yet</p>, onClose);
    expect(document.activeElement).toBe(screen.getByRole("dialog", { name: "Clipboard texts" }));
    await userEvent.setup().keyboard("{Escape}");
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});
