import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Component, type ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import "../testing/be-patient.ts";
import { MenuItem } from "./menu-items.tsx";
import { isOccupied } from "./occupied.ts";
import { componentOnDemand, Loaded, loadAllOnDemand, onDemand } from "./on-demand.tsx";
import { Menu, Popover } from "./overlays.tsx";
import { Toaster, toast } from "./toaster.tsx";
import { Tooltips, tooltip } from "./tooltip.tsx";

afterEach(cleanup);

describe("a menu", () => {
  const menu = (onSelect = () => {}) => (
    <Menu trigger={<button type="button">More</button>}>
      <MenuItem onSelect={onSelect}>Rename</MenuItem>
      <MenuItem onSelect={() => {}}>Delete</MenuItem>
    </Menu>
  );
  const trigger = () => screen.getByRole("button", { name: "More" });

  it("opens once its code is loaded, and returns the focus", async () => {
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
    render(menu());
    await user.click(trigger());
    await screen.findByRole("menu");
    expect(isOccupied()).toBe(true);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(isOccupied()).toBe(false));
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

describe("a popover", () => {
  it("opens and closes with its button, and with Escape", async () => {
    const user = userEvent.setup();
    render(
      <Popover label="Details" trigger={<button type="button">Who</button>}>
        <button type="button">Inside</button>
      </Popover>,
    );
    const trigger = screen.getByRole("button", { name: "Who" });
    await user.click(trigger);
    const panel = await screen.findByRole("dialog", { name: "Details" });
    expect(panel.id).toBe(trigger.getAttribute("aria-controls"));
    expect(document.activeElement).toBe(panel);
    await user.click(trigger);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.click(trigger);
    await screen.findByRole("dialog");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(trigger));
  });
});

describe("a panel whose code cannot be fetched", () => {
  it.each(["menu", "dialog"])("opens no %s, says so, and opens it when pressed again", async (role) => {
    let isAway = true;
    const code = onDemand(async () => {
      if (isAway) throw new Error("away");
      return { Words: () => <p>Here</p> };
    });
    const Panel = role === "menu" ? Menu : Popover;
    const user = userEvent.setup();
    render(
      <>
        <Panel label="Panel" trigger={<button type="button">Open</button>} code={code}>
          <Loaded code={code}>{({ Words }) => <Words />}</Loaded>
        </Panel>
        <Toaster narrow={false} label="Notifications" closeLabel="Close" />
      </>,
    );
    const trigger = screen.getByRole("button", { name: "Open" });
    await user.click(trigger);
    const notice = /^This part could not be loaded/;
    expect(await screen.findByText(notice)).not.toBeNull();
    expect(trigger.getAttribute("aria-expanded")).toBe("false");
    expect(screen.queryByRole(role)).toBeNull();
    isAway = false;
    await user.click(trigger);
    expect((await screen.findByRole(role)).textContent).toBe("Here");
    await waitFor(() => expect(screen.queryByText(notice)).toBeNull());
  });
});

describe("a tooltip", () => {
  const two = (
    <>
      <button type="button" {...tooltip("First words")}>
        One
      </button>
      <button type="button" {...tooltip("Second words")}>
        Two
      </button>
      <Tooltips />
    </>
  );
  const shown = () => document.querySelector("[data-tooltip-panel]")?.textContent;

  it("comes at once with the keyboard's focus, and goes with Escape", async () => {
    const user = userEvent.setup();
    render(two);
    await user.tab();
    await waitFor(() => expect(shown()).toBe("First words"));
    await user.tab();
    await waitFor(() => expect(shown()).toBe("Second words"));
    await user.keyboard("{Escape}");
    expect(shown()).toBeUndefined();
  });

  it("goes with its control", async () => {
    const user = userEvent.setup();
    const { rerender } = render(two);
    await user.tab();
    await waitFor(() => expect(shown()).toBe("First words"));
    rerender(<Tooltips />);
    await waitFor(() => expect(shown()).toBeUndefined());
  });

  it("appears on focus moved by a key, but not after a picker, a menu or a click", async () => {
    await loadAllOnDemand();
    render(two);
    const one = screen.getByRole("button", { name: "One" });
    // Chosen by key in a menu: the picker takes the window's focus before the key is released.
    fireEvent.keyDown(one, { key: "Enter" });
    fireEvent.blur(window);
    fireEvent.focusIn(one);
    expect(shown()).toBeUndefined();
    fireEvent.keyDown(document.body, { key: "Tab" });
    fireEvent.keyUp(one, { key: "Tab" });
    fireEvent.focusIn(one);
    expect(shown()).toBeUndefined();
    fireEvent.keyDown(document.body, { key: "Tab" });
    fireEvent.focusIn(one);
    await waitFor(() => expect(shown()).toBe("First words"));
  });

  describe("on hover", () => {
    // Testing Library's user-event waits on timers, which are faked here; and real time must not count.
    beforeEach(async () => {
      await loadAllOnDemand();
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
    });
    afterEach(() => vi.useRealTimers());
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
    const enter = (name: string) =>
      fireEvent.pointerOver(screen.getByRole("button", { name }), { pointerType: "mouse" });
    const leave = () => fireEvent.pointerOver(document.body, { pointerType: "mouse" });

    it("is delayed, and the next one is not", async () => {
      render(two);
      // Long after any earlier tooltip: these tests' clock begins at 0, while earlier ones used the real
      // time.
      await pass(1_000_000);
      enter("One");
      await pass(690);
      expect(shown()).toBeUndefined();
      await pass(20);
      expect(shown()).toBe("First words");
      leave();
      enter("Two");
      await pass(20);
      expect(shown()).toBe("Second words");
      leave();
      await pass(290);
      expect(shown()).toBe("Second words");
      await pass(20);
      expect(shown()).toBeUndefined();
    });

    it("stays away from whoever only passes, or touches", async () => {
      render(two);
      await pass(1_000_000);
      enter("One");
      await pass(500);
      leave();
      await pass(1_000);
      fireEvent.pointerOver(screen.getByRole("button", { name: "One" }), { pointerType: "touch" });
      await pass(1_000);
      expect(shown()).toBeUndefined();
    });
  });
});

describe("toasts", () => {
  it("shown before their region exists appear once it does", async () => {
    toast.error("Too early");
    const gone = toast.info("Taken back");
    toast.dismiss(gone);
    render(<Toaster narrow={false} label="Notifications" closeLabel="Close" />);
    expect(await screen.findByText("Too early")).not.toBeNull();
    expect(screen.queryByText("Taken back")).toBeNull();
  });

  it("dismissed at once disappear, and a repeated one appears", async () => {
    render(<Toaster narrow={false} label="Notifications" closeLabel="Close" />);
    for (let index = 0; index < 20; index++) toast.dismiss(toast.info(`Passing ${index}`));
    const id = toast.info("First");
    toast.dismiss(id);
    toast.info("Again", { id });
    expect(await screen.findByText("Again")).not.toBeNull();
    await waitFor(() => expect(screen.queryByText(/Passing/)).toBeNull());
    expect(screen.queryByText("Again")).not.toBeNull();
  });
});

describe("lazy code", () => {
  it("is fetched once, and again after a failure", async () => {
    const fetchCode = vi.fn<() => Promise<number>>().mockRejectedValueOnce(new Error("offline"));
    fetchCode.mockResolvedValue(1);
    const code = onDemand(fetchCode);
    await expect(code.load()).rejects.toThrow("offline");
    expect(code.get()).toBeUndefined();
    expect(await Promise.all([code.load(), code.load()])).toEqual([1, 1]);
    expect(code.get()).toBe(1);
    expect(fetchCode).toHaveBeenCalledTimes(2);
  });
});

describe("a lazy component", () => {
  it("renders its fallback until its code is loaded, and never again", async () => {
    const Greeting = componentOnDemand(
      async () =>
        ({ name }: { readonly name: string }) => <p>Hello {name}</p>,
      <p>Soon</p>,
    );
    const { unmount } = render(<Greeting name="Mara" />);
    expect(screen.getByText("Soon")).not.toBeNull();
    expect(await screen.findByText("Hello Mara")).not.toBeNull();
    unmount();
    render(<Greeting name="Noor" />);
    expect(screen.getByText("Hello Noor")).not.toBeNull();
  });

  it("throws a load failure to the boundary around it", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {}); // React logs it too
    const Broken = componentOnDemand<object>(() => Promise.reject(new Error("offline")));
    render(
      <Boundary>
        <Broken />
      </Boundary>,
    );
    expect(await screen.findByText("caught: offline")).not.toBeNull();
  });
});

class Boundary extends Component<{ readonly children: ReactNode }, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    return this.state.error ? <p>caught: {this.state.error.message}</p> : this.props.children;
  }
}
