import { cleanup, fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, useState } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderUi } from "../../testing/render-ui.tsx";
import { SearchField } from "../fields/search-field.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";

afterEach(cleanup);

describe("the focus of a dialog", () => {
  const show = (children: ReactNode, onClose = () => {}, rest: Pick<DialogProps, "initialFocus"> = {}) =>
    renderUi(
      <Dialog
        dialog={{ open: true, cancel: onClose, returnFocus() {} }}
        title="Clipboard texts"
        closable
        {...rest}
      >
        {children}
      </Dialog>,
    );

  it("starts at its first control", () => {
    show(<button type="button">Copy again</button>);
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Copy again" }));
  });

  it("starts at the dialog if its text is to be read first, followed by its controls", async () => {
    show(<button type="button">Copy again</button>, undefined, { initialFocus: "top" });
    expect(document.activeElement).toBe(screen.getByRole("dialog", { name: "Clipboard texts" }));
    await userEvent.setup().tab();
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Copy again" }));
  });

  it("starts at the dialog if Close is the only control, so that one Escape closes it", async () => {
    const onClose = vi.fn();
    show(<p>No clipboard text yet</p>, onClose);
    expect(document.activeElement).toBe(screen.getByRole("dialog", { name: "Clipboard texts" }));
    await userEvent.setup().keyboard("{Escape}");
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});

describe("Escape in a dialog", () => {
  const show = (children: ReactNode) => {
    const onClose = vi.fn();
    renderUi(
      <Dialog dialog={{ open: true, cancel: onClose, returnFocus() {} }} title="Forward" closable>
        {children}
      </Dialog>,
    );
    return onClose;
  };

  it.each([
    ["as most browsers tell it", { isComposing: true }],
    ["as Safari tells it", { keyCode: 229 }],
  ])("cancels an input method's composition without closing, %s", (_, composing) => {
    const onClose = show(<input aria-label="Your name" />);
    fireEvent.keyDown(screen.getByRole("textbox"), { key: "Escape", ...composing });
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.keyDown(screen.getByRole("textbox"), { key: "Escape" });
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it("first clears a search, then closes the dialog", async () => {
    function Search() {
      const [value, setValue] = useState("");
      return (
        <SearchField label="Search for clients" value={value} onChange={setValue} onKeyDown={() => {}} />
      );
    }
    const onClose = show(<Search />);
    const user = userEvent.setup();
    const field: HTMLInputElement = screen.getByRole("searchbox");
    await user.type(field, "mara{Escape}");
    expect(field.value).toBe("");
    expect(onClose).not.toHaveBeenCalled();
    await user.keyboard("{Escape}");
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});
