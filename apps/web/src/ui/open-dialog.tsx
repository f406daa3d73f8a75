import { type ComponentType, createElement, type ReactNode } from "react";
import { findFocusOrigin, withSurroundings } from "./focus-origin.ts";
import { occupy } from "./occupied.ts";

/** How a dialog ended: cancelled, or with a value. */
export type DialogResult<T> = { readonly cancelled: true } | { readonly cancelled: false; readonly value: T };

/** What every dialog gets: whether it is shown, its two ways to end, and the way back for the focus. */
export interface DialogControl<T> {
  readonly open: boolean;
  submit(value: T): void;
  cancel(): void;
  /** Gives focus back to where it was before the dialog. */
  returnFocus(): void;
}

/** The props of a dialog component besides its own. */
export interface DialogSlot<T> {
  readonly dialog: DialogControl<T>;
}

type ValueOf<Props> = Props extends { readonly dialog: DialogControl<infer T> } ? T : never;

/** A dialog as the host sees it. */
export interface OpenDialog {
  readonly id: number;
  readonly cancel: () => void;
  readonly returnFocus: () => void;
  readonly render: (open: boolean) => ReactNode;
  /** What had the focus before, and what that lay in. */
  readonly focusOrigins: readonly HTMLElement[];
}

/** The dialog on the screen; one that has ended stays as `open: false` while it fades out. */
export type DialogState = { readonly dialog: OpenDialog; readonly open: boolean } | undefined;

let state: DialogState;
let lastId = 0;
const listeners = new Set<() => void>();

function setState(next: DialogState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** What the host draws from; only this module writes it. */
export const dialogStore = {
  getState: (): DialogState => state,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Drops a dialog that has faded out. */
  remove(id: number): void {
    if (state?.dialog.id === id && !state.open) setState(undefined);
  },
};

/**
 * Shows a dialog and settles when the user submits or cancels it. Never two at once: opening a second one
 * cancels the first. The component may be lazy.
 *
 *     const result = await openDialog(DeleteFilesDialog, { files });
 *     if (!result.cancelled) …
 */
export function openDialog<Props extends DialogSlot<never>>(
  component: ComponentType<Props>,
  props: Omit<Props, "dialog">,
): Promise<DialogResult<ValueOf<Props>>>;
export function openDialog<Own extends object, T>(
  component: ComponentType<Own & DialogSlot<T>>,
  props: Own,
): Promise<DialogResult<T>> {
  const before = state;
  // Focus is inside the dialog that gives way or has just ended, or lost with it; it goes back to where that one got it from.
  const isInBefore = before && (before.open || document.activeElement?.closest('[role="dialog"]'));
  const focusOrigin = isInBefore ? undefined : findFocusOrigin();
  const focusOrigins = focusOrigin ? withSurroundings(focusOrigin) : (before?.dialog.focusOrigins ?? []);
  if (before?.open) before.dialog.cancel();

  const release = occupy();
  return new Promise((resolve) => {
    const id = ++lastId;
    const settle = (result: DialogResult<T>): void => {
      if (state?.dialog.id === id && state.open) setState({ dialog: state.dialog, open: false });
      release();
      resolve(result);
    };
    const cancel = (): void => settle({ cancelled: true });
    const returnFocus = (): void => {
      // A dialog that took this one's place keeps the focus.
      if (!state?.open) focusOrigins.find(({ isConnected }) => isConnected)?.focus();
    };
    const control = { submit: (value: T) => settle({ cancelled: false, value }), cancel, returnFocus };
    const render = (open: boolean): ReactNode =>
      createElement(component, { ...props, dialog: { ...control, open } });
    setState({ dialog: { id, cancel, returnFocus, render, focusOrigins }, open: true });
  });
}
