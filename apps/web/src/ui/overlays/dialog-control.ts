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
