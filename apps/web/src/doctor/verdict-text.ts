import type { DoctorVerdict } from "@warren/core";
import { translateKey } from "../i18n/i18n.ts";
import type { TextKey } from "../i18n/messages.ts";

type NextKey = Extract<TextKey, `doctor.next.${string}`>;

/** What was found, and the next step; null where all is well. */
export function verdictText(
  { cause, outcome, values }: DoctorVerdict,
  size: (bytes: number) => string,
): { readonly cause: string; readonly next: string | null } {
  // A cause without a text does not compile here.
  const causeKey: TextKey = `doctor.cause.${cause}`;
  const shown = typeof values.free === "number" ? { ...values, free: size(values.free) } : values;
  const nextKey = `doctor.next.${cause}` as NextKey;
  return {
    cause: translateKey(causeKey, shown),
    next: outcome === "good" ? null : translateKey(nextKey, {}),
  };
}
