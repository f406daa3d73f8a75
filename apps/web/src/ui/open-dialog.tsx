import { type ComponentType, createElement, type ReactNode } from "react";
import { findFocusOrigin, withSurroundings } from "./focus-origin.ts";
import { occupy } from "./occupied.ts";

/** The result of a dialog: cancelled, or a value. */
export type DialogResult<T> = { readonly cancelled: true } | { readonly cancelled: false; readonly value: T };

/** Passed to every dialog: whether it is open, its two ways to end, and how to return the focus. */
export interface DialogControl<T> {
  readonly open: boolean;
  submit(value: T): void;
  cancel(): void;
  /** Returns the focus to where it was before the dialog. */
  returnFocus(): void;
}

/** The control prop of every dialog component. */
export interface DialogSlot<T> {
  readonly dialog: DialogControl<T>;
}

type ValueOf<Props> = Props extends { readonly dialog: DialogControl<infer T> } ? T : never;

/** A dialog as seen by the host. */
export interface OpenDialog {
  readonly id: number;
  readonly cancel: () => void;
  readonly returnFocus: () => void;
  readonly render: (open: boolean) => ReactNode;
  /** The previously focused element and its focusable ancestors. */
  readonly focusOrigins: readonly HTMLElement[];
}

/** The current dialog; an ended one stays as `open: false` while it fades out. */
export type DialogState = { readonly dialog: OpenDialog; readonly open: boolean } | undefined;

let state: DialogState;
let lastId = 0;
const listeners = new Set<() => void>();

function setState(next: DialogState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** The store that the host renders from; only this module writes to it. */
export const dialogStore = {
  getState: (): DialogState => state,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Removes a dialog that has faded out. */
  remove(id: number): void {
    if (state?.dialog.id === id && !state.open) setState(undefined);
  },
};

/**
 * Opens a dialog and settles when the user submits or cancels it. There is never more than one: opening a
 * second one cancels the first. The component may be lazy. Example: `const result = await
 * openDialog(DeleteFilesDialog, { files }); if (!result.cancelled) …`
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
  // If the focus is inside the replaced or just ended dialog, or was lost with it, it returns to that
  // dialog's origin.
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
      // A dialog that replaced this one keeps the focus.
      if (!state?.open) focusOrigins.find(({ isConnected }) => isConnected)?.focus();
    };
    const control = { submit: (value: T) => settle({ cancelled: false, value }), cancel, returnFocus };
    const render = (open: boolean): ReactNode =>
      createElement(component, { ...props, dialog: { ...control, open } });
    setState({ dialog: { id, cancel, returnFocus, render, focusOrigins }, open: true });
  });
}
