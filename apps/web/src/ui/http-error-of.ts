import { WarrenError } from "@warren/protocol";
import { CodeMissing } from "./on-demand.tsx";

/** The HTTP error behind missing code: the server has another version by now, or is broken. */
export function httpErrorOf(error: unknown): { readonly code: number } | null {
  if (!(error instanceof CodeMissing)) return null;
  const { cause } = error;
  return cause instanceof WarrenError && cause.code === "http-error"
    ? { code: Number(cause.values.code) }
    : null;
}
