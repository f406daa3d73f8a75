import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import "../../testing/longer-timeout.ts";
import { HoldPageContext } from "./hold-page.ts";
import { ContextMenu, Menu, MenuItem } from "./menu.tsx";

afterEach(cleanup);

/** Counts what holds the page. */
function Held({ held, children }: { readonly held: Set<object>; readonly children: ReactNode }) {
  const hold = (): (() => void) => {
    const one = {};
    held.add(one);
    return () => held.delete(one);
  };
  return <HoldPageContext value={hold}>{children}</HoldPageContext>;
}

describe("a menu", () => {
  const menu = (onSelect = () => {}) => (
    <Menu trigger={<button type="button">More</button>}>
      <MenuItem onSelect={onSelect}>Rename</MenuItem>
      <MenuItem onSelect={() => {}}>Delete</MenuItem>
    </Menu>
  );
  const trigger = () => screen.getByRole("button", { name: "More" });

  it("opens, and returns the focus", async () => {
    const user = userEvent.setup();
    render(menu());
    await user.click(trigger());
    expect(trigger().getAttribute("aria-expanded")).toBe("true");
    const panel = await screen.findByRole("menu", { name: "More" });
    expect(trigger().getAttribute("aria-controls")).toBe(panel.id);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(trigger()));
    expect(screen.queryByRole("menu")).toBeNull();
  });

  it("gives the focus back to the text that was being written", async () => {
    const user = userEvent.setup();
    render(
      <>
        <textarea />
        {menu()}
      </>,
    );
    await user.click(screen.getByRole("textbox"));
    // In a browser, Radix keeps the press from moving the focus.
    fireEvent.pointerDown(trigger(), { button: 0, ctrlKey: false });
    await user.click(await screen.findByRole("menuitem", { name: "Rename" }));
    await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("textbox")));
  });

  it("stays open as one that was open before it gives the focus back", async () => {
    const user = userEvent.setup();
    render(
      <>
        {menu()}
        <Menu trigger={<button type="button">Next</button>}>
          <MenuItem onSelect={() => {}}>Files</MenuItem>
        </Menu>
      </>,
    );
    await user.click(trigger());
    fireEvent.click(await screen.findByRole("menuitem", { name: "Rename" }));
    fireEvent.pointerDown(screen.getByRole("button", { name: "Next" }), { button: 0, ctrlKey: false });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(screen.getByRole("menuitem", { name: "Files" })).toBeTruthy();
  });

  it("opens by keyboard on its first action and runs the chosen one", async () => {
    const user = userEvent.setup();
    const onSelect = vi.fn();
    render(menu(onSelect));
    await user.tab();
    await user.keyboard("{ArrowDown}");
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Rename"));
    await user.keyboard("{Enter}");
    expect(onSelect).toHaveBeenCalledTimes(1);
    await waitFor(() => expect(document.activeElement).toBe(trigger()));
  });

  it("prevents the page from changing while it is open", async () => {
    const user = userEvent.setup();
    const held = new Set<object>();
    render(<Held held={held}>{menu()}</Held>);
    await user.click(trigger());
    await screen.findByRole("menu");
    expect(held.size).toBe(1);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(held.size).toBe(0));
  });

  it("closes when its button is clicked again", async () => {
    const user = userEvent.setup();
    render(menu());
    await user.click(trigger());
    await screen.findByRole("menu");
    await user.click(trigger());
    await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  });
});

describe("a context menu", () => {
  const rows = (onOpen = () => {}) => (
    <ContextMenu
      find={(pressed) => {
        const id = pressed.closest<HTMLElement>("[data-id]")?.id;
        return id === undefined ? null : { id, labelledBy: id };
      }}
      items={(id) => <MenuItem onSelect={() => {}}>{`Delete ${id}`}</MenuItem>}
    >
      <button type="button" id="Mara" data-id="" onClick={onOpen}>
        Mara
      </button>
      <p>Nobody</p>
    </ContextMenu>
  );
  const press = (user: ReturnType<typeof userEvent.setup>, target: Element) =>
    user.pointer({ keys: "[MouseRight]", target });

  it("has the items of the pressed row, and returns the focus to it", async () => {
    const user = userEvent.setup();
    const held = new Set<object>();
    render(<Held held={held}>{rows()}</Held>);
    await press(user, screen.getByRole("button", { name: "Mara" }));
    const menu = await screen.findByRole("menu", { name: "Mara" });
    expect(menu.textContent).toBe("Delete Mara");
    expect(held.size).toBe(1);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement?.id).toBe("Mara"));
    expect(held.size).toBe(0);
  });

  it("leaves the browser its own menu where there is no row", async () => {
    render(rows());
    const isOwn = (target: Element) => fireEvent.contextMenu(target);
    expect(isOwn(screen.getByText("Nobody"))).toBe(true);
    expect(screen.queryByRole("menu")).toBeNull();
    expect(isOwn(screen.getByRole("button", { name: "Mara" }))).toBe(false);
  });

  it("opened by a finger, does not press the row when that is lifted", async () => {
    const user = userEvent.setup();
    const onOpen = vi.fn();
    render(rows(onOpen));
    const row = screen.getByRole("button", { name: "Mara" });
    await user.pointer({ keys: "[TouchA>]", target: row });
    await screen.findByRole("menu", {}, { timeout: 2_000 });
    await user.pointer({ keys: "[/TouchA]", target: row });
    expect(onOpen).not.toHaveBeenCalled();
    act(() => row.focus()); // as by the mouse events that follow a touch
    expect(screen.queryByRole("menu")).not.toBeNull();
    await user.click(row);
    expect(onOpen).toHaveBeenCalledTimes(1);
  });
});
