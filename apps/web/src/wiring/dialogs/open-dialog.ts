import { type ReadableStore, SerialQueue, untilState } from "@warren/core";
import { type ComponentType, createElement, type ReactNode } from "react";
import { createStore } from "zustand/vanilla";
import type { DialogControl, DialogResult, DialogSlot } from "../../ui/overlays/dialog-control.ts";

type ValueOf<Props> = Props extends { readonly dialog: DialogControl<infer T> } ? T : never;

/** A dialog as seen by the host. */
export interface OpenDialog {
  readonly id: number;
  readonly cancel: () => void;
  readonly returnFocus: () => void;
  readonly render: (open: boolean) => ReactNode;
  /** The previously focused element and its focusable ancestor. */
  readonly focusOrigins: readonly HTMLElement[];
}

/** The current dialog; an ended one stays as `open: false` while it fades out. */
type DialogState = { readonly dialog: OpenDialog; readonly open: boolean } | undefined;

const store = createStore<DialogState>(() => undefined);
let lastId = 0;

/** The store that the host renders from; only this module writes to it. */
export const dialogStore: ReadableStore<DialogState> = store;

/** Removes a dialog that has faded out. */
export function removeDialog(id: number): void {
  const state = store.getState();
  if (state?.dialog.id === id && !state.open) store.setState(undefined);
}

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
  const before = store.getState();
  // If the focus is inside the replaced or just ended dialog, or was lost with it, it returns to that
  // dialog's origin.
  const isInBefore = before && (before.open || document.activeElement?.closest('[role="dialog"]'));
  const focusOrigin = isInBefore ? undefined : findFocusOrigin();
  const focusOrigins = focusOrigin ? withFocusableAncestor(focusOrigin) : (before?.dialog.focusOrigins ?? []);
  if (before?.open) before.dialog.cancel();

  return new Promise((resolve) => {
    const id = ++lastId;
    const settle = (result: DialogResult<T>): void => {
      const state = store.getState();
      if (state?.dialog.id === id && state.open) store.setState({ dialog: state.dialog, open: false });
      resolve(result);
    };
    const cancel = (): void => settle({ cancelled: true });
    const returnFocus = (): void => {
      // A dialog that replaced this one keeps the focus, and so does what its result leads to.
      const isTaken = document.activeElement !== null && document.activeElement !== document.body;
      if (!store.getState()?.open && !isTaken) focusOrigins.find(({ isConnected }) => isConnected)?.focus();
    };
    const control = { submit: (value: T) => settle({ cancelled: false, value }), cancel, returnFocus };
    const render = (open: boolean): ReactNode =>
      createElement(component, { ...props, dialog: { ...control, open } });
    store.setState({ dialog: { id, cancel, returnFocus, render, focusOrigins }, open: true });
  });
}

const waiting = new SerialQueue();

/** Runs what opens a dialog unasked, which thus interrupts none: once none is open, and after those that waited before. */
export function whenNoDialog<T>(work: () => Promise<T>): Promise<T> {
  return waiting.run(async () => {
    await untilState(store, (state) => !state?.open);
    return work();
  });
}

/** Whether a dialog is open, which then has all keys and drops. */
export function isDialogOpen(): boolean {
  return store.getState()?.open === true;
}

/**
 * The element that gets the focus back after a dialog opened now: the focused element, or, inside a menu or
 * popover that closes as the dialog opens, its trigger.
 */
function findFocusOrigin(): HTMLElement | undefined {
  let origin = document.activeElement;
  for (let layer = layerOf(origin); layer !== null; layer = layerOf(origin)) {
    const opener = document.querySelector(`[aria-controls="${CSS.escape(layer.id)}"]`);
    if (opener === null || opener === origin) break;
    origin = opener;
  }
  return origin instanceof HTMLElement && origin !== document.body ? origin : undefined;
}

/** An element and its nearest focusable ancestor, which remains if the element is removed, like a message's actions. */
function withFocusableAncestor(origin: HTMLElement): readonly HTMLElement[] {
  const ancestor = origin.parentElement?.closest<HTMLElement>("[tabindex]");
  return ancestor ? [origin, ancestor] : [origin];
}

function layerOf(element: Element | null): Element | null {
  return element?.closest('[role="menu"][id], [role="dialog"][id]') ?? null;
}
