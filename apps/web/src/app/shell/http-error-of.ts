import { WarrenError } from "@warren/protocol";
import type { CodeMissing } from "../../ui/on-demand.tsx";

/** What the server answered where code is missing because of that: it has another version by now, or is broken. */
export function httpErrorOf({ cause }: CodeMissing): { readonly code: number } | null {
  return cause instanceof WarrenError && cause.code === "http-error"
    ? { code: Number(cause.values.code) }
    : null;
}
