import type { TransferStatus } from "@warren/core";
import type { Translate } from "../i18n/messages.ts";

/** What one person did with a file that was offered to them. */
export type FileOutcome = "waiting" | "accepted" | "complete" | "declined" | "cancelled" | "failed";

/** What became of an offer at one person, from how its transfer to them stands. */
export function fileOutcome(state: TransferStatus | undefined): FileOutcome {
  switch (state?.status) {
    case undefined:
    case "init":
      return "waiting";
    case "complete":
      return "complete";
    case "transferring":
    case "paused":
      return "accepted";
    case "error":
      return endedAs(state.error.code);
  }
}

function endedAs(code: Extract<TransferStatus, { status: "error" }>["error"]["code"]): FileOutcome {
  if (code === "transfer-declined") return "declined";
  if (code === "transfer-cancelled") return "cancelled";
  // They had it before: nothing is missing there.
  return code === "cache-exists" ? "complete" : "failed";
}

/** "accepted by 1, declined by 1, waiting for 1": who has the whole of it accepted it too. */
export function outcomesText(outcomes: readonly FileOutcome[], t: Translate): string {
  const countOf = (...those: readonly FileOutcome[]) => outcomes.filter((one) => those.includes(one)).length;
  const accepted = countOf("accepted", "complete");
  const others = (["declined", "cancelled", "failed", "waiting"] as const).map((outcome) => ({
    outcome,
    count: countOf(outcome),
  }));
  return [{ outcome: "accepted", count: accepted } as const, ...others]
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => t(`receipts.count.${outcome}`, { count }))
    .join(t("common.comma"));
}
