import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { lazy } from "react";
import { afterEach, describe, expect, test } from "vitest";
import { cancelDialog } from "../../testing/cancel-dialog.ts";
import { renderUi } from "../../testing/render-ui.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFooter } from "../../ui/overlays/dialog.tsx";
import type { DialogResult, DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { DialogHost } from "./dialog-host.tsx";
import { openDialog } from "./open-dialog.ts";

interface NameDialogProps extends DialogSlot<string> {
  readonly name: string;
}

function NameDialog({ name, dialog }: NameDialogProps) {
  return (
    <Dialog dialog={dialog} title={`Name ${name}`}>
      <DialogFooter>
        <Button onClick={dialog.cancel}>Cancel</Button>
        <Button onClick={() => dialog.submit(name.toUpperCase())}>Submit</Button>
      </DialogFooter>
    </Dialog>
  );
}

const LazyDialog = lazy(async () => ({ default: NameDialog }));

function show(component: Parameters<typeof openDialog<NameDialogProps>>[0], name: string) {
  let result: Promise<DialogResult<string>> | undefined;
  act(() => {
    result = openDialog(component, { name });
  });
  if (result === undefined) throw new Error("openDialog did not run");
  return result;
}

afterEach(() => {
  cancelDialog();
  cleanup();
});

describe("openDialog", () => {
  test("resolves with the submitted value and removes the dialog", async () => {
    const { user } = renderUi(<DialogHost />);
    const result = show(NameDialog, "mara");
    await user.click(await screen.findByRole("button", { name: "Submit" }));
    expect(await result).toEqual({ cancelled: false, value: "MARA" });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("is cancelled by Escape and returns the focus", async () => {
    const { user } = renderUi(
      <>
        <button type="button">Opener</button>
        <DialogHost />
      </>,
    );
    const opener = screen.getByRole("button", { name: "Opener" });
    opener.focus();
    const result = show(NameDialog, "mara");
    await screen.findByRole("dialog", { name: "Name mara" });
    await user.keyboard("{Escape}");
    expect(await result).toEqual({ cancelled: true });
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });

  test("leaves the focus where its result leads to", async () => {
    const { user } = renderUi(
      <>
        <button type="button">Opener</button>
        <button type="button">Found</button>
        <DialogHost />
      </>,
    );
    screen.getByRole("button", { name: "Opener" }).focus();
    const found = screen.getByRole("button", { name: "Found" });
    void show(NameDialog, "mara").then(() => found.focus());
    await user.click(await screen.findByRole("button", { name: "Submit" }));
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(document.activeElement).toBe(found);
  });

  test("returns the focus from inside a menu to the button that opened it", async () => {
    const { user } = renderUi(
      <>
        <button type="button" aria-controls="menu-1">
          More
        </button>
        <div role="menu" id="menu-1">
          <button type="button" role="menuitem">
            Rename
          </button>
        </div>
        <DialogHost />
      </>,
    );
    screen.getByRole("menuitem").focus();
    void show(NameDialog, "mara");
    await screen.findByRole("dialog", { name: "Name mara" });
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement?.textContent).toBe("More"));
  });

  test("never shows two: a second one cancels the first and returns to the same element", async () => {
    const { user } = renderUi(
      <>
        <button type="button">Opener</button>
        <DialogHost />
      </>,
    );
    const opener = screen.getByRole("button", { name: "Opener" });
    opener.focus();
    const first = show(NameDialog, "mara");
    const dialog = await screen.findByRole("dialog", { name: "Name mara" });
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
    const second = show(NameDialog, "noor");
    expect(await first).toEqual({ cancelled: true });
    expect((await screen.findAllByRole("dialog")).length).toBe(1);
    await user.click(screen.getByRole("button", { name: "Submit" }));
    expect(await second).toEqual({ cancelled: false, value: "NOOR" });
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });

  test("focuses the opener's container if the opener is gone", async () => {
    const { user } = renderUi(
      <>
        <article tabIndex={-1}>
          <button type="button">Opener</button>
        </article>
        <DialogHost />
      </>,
    );
    const opener = screen.getByRole("button", { name: "Opener" });
    opener.focus();
    void show(NameDialog, "mara");
    await screen.findByRole("dialog");
    opener.remove();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("article")));
  });

  test("returns the focus to the same element when one dialog opens the next", async () => {
    const { user } = renderUi(
      <>
        <button type="button">Opener</button>
        <DialogHost />
      </>,
    );
    const opener = screen.getByRole("button", { name: "Opener" });
    opener.focus();
    const chain = show(NameDialog, "mara").then(() => openDialog(NameDialog, { name: "noor" }));
    await user.click(await screen.findByRole("button", { name: "Submit" }));
    await screen.findByRole("dialog", { name: "Name noor" });
    await user.keyboard("{Escape}");
    expect(await chain).toEqual({ cancelled: true });
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });

  test("shows a lazy dialog once it is loaded", async () => {
    const { user } = renderUi(<DialogHost />);
    const result = show(LazyDialog, "elise");
    await user.click(await screen.findByRole("button", { name: "Submit" }));
    expect(await result).toEqual({ cancelled: false, value: "ELISE" });
  });

  test("checks props and results at compile time", () => {
    const check = async (): Promise<void> => {
      // @ts-expect-error a dialog's own props are required
      await openDialog(NameDialog, {});
      const result = await openDialog(NameDialog, { name: "mara" });
      // @ts-expect-error a cancelled result has no value
      result.value;
      if (!result.cancelled) result.value.toUpperCase();
    };
    expect(check).toBeTypeOf("function");
  });
});
