import { act, screen, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";

/** Chooses from the menu beside a message, by keys. */
export async function chooseAction(user: UserEvent, message: HTMLElement, name: string): Promise<void> {
  act(() => message.focus());
  act(() => within(message).getByRole("button", { name: "More actions" }).focus());
  await user.keyboard("{Enter}");
  const menu = within(await screen.findByRole("menu", { name: "More actions" }));
  // A shortcut follows.
  await user.click(menu.getByRole("menuitem", { name: new RegExp(`^${name}`) }));
}
