import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderUi } from "../testing/render-ui.tsx";
import { Button, GuardedButton } from "./button.tsx";

afterEach(cleanup);

test("a button disabled with a reason stays focusable, shows the reason and cannot be clicked", async () => {
  const onClick = vi.fn();
  const onSubmit = vi.fn();
  const { user } = renderUi(
    <form onSubmit={onSubmit}>
      <GuardedButton type="submit" disabledReason="Select at least one person" onClick={onClick}>
        Forward
      </GuardedButton>
    </form>,
  );
  await user.tab();
  const button = screen.getByRole("button", {
    name: "Forward",
    description: /^Select at least one person\s*$/,
  });
  expect(document.activeElement).toBe(button);
  await user.keyboard("{Enter}");
  await user.click(button);
  expect(onClick).not.toHaveBeenCalled();
  expect(onSubmit).not.toHaveBeenCalled();
});

test("a loading button is announced as busy and ignores clicks", async () => {
  const onClick = vi.fn();
  const { user } = renderUi(
    <Button loading onClick={onClick}>
      Join room
    </Button>,
  );
  const button = screen.getByRole("button", { name: "Join room", busy: true });
  await user.click(button);
  expect(onClick).not.toHaveBeenCalled();
});

test("a button keeps the focus when disabled, and when enabled again", async () => {
  const { user, rerender } = renderUi(<GuardedButton disabledReason={undefined}>Fetch all</GuardedButton>);
  await user.tab();
  const button = screen.getByRole("button", { name: "Fetch all" });
  expect(document.activeElement).toBe(button);
  rerender(<GuardedButton disabledReason="Mara is away">Fetch all</GuardedButton>);
  expect(document.activeElement).toBe(button);
  rerender(<GuardedButton disabledReason={undefined}>Fetch all</GuardedButton>);
  expect(document.activeElement).toBe(button);
});
