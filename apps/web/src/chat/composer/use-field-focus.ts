import { type RefObject, useEffect, useRef } from "react";
import type { Draft } from "../../tab/drafts.ts";
import { focusPageField } from "../../ui/overlays/focus-page-field.ts";

/**
 * Focuses the field where writing comes next: as the conversation opens, as a message is answered or edited, and for the caption of
 * what was attached.
 */
export function useFieldFocus(
  field: RefObject<HTMLTextAreaElement | null>,
  { about, attachments }: Draft,
): void {
  const hasOpened = useRef(false);
  const next = about ?? attachments.at(-1)?.key;
  useEffect(() => {
    const isOpening = !hasOpened.current;
    hasOpened.current = true;
    const input = field.current;
    if (input === null || (next === undefined && !isOpening)) return;
    const isSubject = typeof next === "object";
    // A touch keyboard that opens by itself would cover the conversation; who answers or edits expects it.
    if (!isSubject && matchMedia("(pointer: coarse)").matches) return;
    if (next === undefined) focusPageField(input);
    else input.focus({ preventScroll: true });
    if (isSubject) input.setSelectionRange(input.value.length, input.value.length);
  }, [field, next]);
}
