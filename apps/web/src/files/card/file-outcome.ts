import type { FileOutcome } from "../../file-state/file-state.ts";
import type { Format } from "../../i18n/format.ts";
import type { Translate } from "../../i18n/messages.ts";

/** "received by 2 of 3", of a text or a file for several people; "received by all". */
export function receivedText(received: number, total: number, t: Translate): string {
  return received === total
    ? t("receipts.receivedByAll")
    : t("receipts.receivedByCount", { received, total });
}

/** "accepted by 1, declined by 1, waiting for 1"; a complete file counts as accepted. */
export function outcomesText(outcomes: readonly FileOutcome[], t: Translate, format: Format): string {
  const countOf = (...those: readonly FileOutcome[]) => outcomes.filter((one) => those.includes(one)).length;
  const accepted = countOf("accepted", "complete");
  const others = (["declined", "cancelled", "cancelledThere", "failed", "waiting"] as const).map(
    (outcome) => ({
      outcome,
      count: countOf(outcome),
    }),
  );
  const parts = [{ outcome: "accepted", count: accepted } as const, ...others].filter(
    ({ count }) => count > 0,
  );
  return format.items(parts.map(({ outcome, count }) => t(`receipts.count.${outcome}`, { count })));
}

const partsOrder = [
  "complete",
  "accepted",
  "waiting",
  "declined",
  "cancelled",
  "cancelledThere",
  "failed",
] as const;

/** "18 of 20 received, 2 declined"; one word if all are equal: "Declined". */
export function personOutcomeText(outcomes: readonly FileOutcome[], t: Translate, format: Format): string {
  const [first = "waiting"] = outcomes;
  if (outcomes.every((outcome) => outcome === first)) return t(`receipts.outcome.${first}`);
  const total = outcomes.length;
  const parts = partsOrder
    .map((outcome) => ({ outcome, count: outcomes.filter((one) => one === outcome).length }))
    .filter(({ count }) => count > 0);
  return format.items(parts.map(({ outcome, count }) => t(`receipts.files.${outcome}`, { count, total })));
}
