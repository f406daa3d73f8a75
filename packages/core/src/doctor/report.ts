import { readIpAddress } from "@warren/protocol/ip-address";
import { type DoctorVerdict, doctorSteps } from "./verdict.ts";

const marks = { good: "+", limited: "!", bad: "-", unknown: "?" } as const;

/**
 * The verdicts as text to pass on: one line each, the next step indented below, and no address of anybody.
 * @param wordsOf the cause in a sentence, and the next step if there is one
 */
export function doctorReport(
  verdicts: readonly DoctorVerdict[],
  wordsOf: (verdict: DoctorVerdict) => { readonly cause: string; readonly next: string | null },
): string {
  const lines = inOrder(verdicts).flatMap((verdict) => {
    const { cause, next } = wordsOf(verdict);
    return [`${marks[verdict.outcome]} ${verdict.step}: ${cause}`, ...(next === null ? [] : [`    ${next}`])];
  });
  return maskAddresses(`${lines.join("\n")}\n`);
}

/** By step; the findings of one step as they were made. */
export function inOrder(verdicts: readonly DoctorVerdict[]): DoctorVerdict[] {
  return [...verdicts].sort((one, other) => doctorSteps.indexOf(one.step) - doctorSteps.indexOf(other.step));
}

/** Replaces all of an IP address but its first number, and a browser's name for one. Host names stay. */
export function maskAddresses(text: string): string {
  return text
    .replace(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\.local/gi, "*.local")
    .replace(/\b(\d{1,3})(?:\.\d{1,3}){3}\b/g, "$1.*.*.*")
    .replace(/[\da-f]*:[\da-f:]+(?:%\w+)?/gi, (word) => {
      const address = word.replace(/%.*/, "");
      // Not a port, nor a time of day.
      return address.split(":").length > 2 && readIpAddress(address) ? `${address.split(":")[0]}:*` : word;
    });
}
