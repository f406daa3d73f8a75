import { act } from "@testing-library/react";
import { dialogStore } from "../wiring/dialogs/open-dialog.ts";

/** Cancels the open dialog, so that the next test begins without one. */
export function cancelDialog(): void {
  act(() => dialogStore.getState()?.dialog.cancel());
}
