import { limits } from "@warren/protocol";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import type { Partner } from "../../people/use-partner.ts";
import { useNobodyHere } from "../../room/use-nobody-here.ts";
import { type Draft, isTooLong } from "../../tab/drafts.ts";

/** Why a draft cannot be sent now. */
export type Obstacle = "empty" | "too-long" | "nobody" | null;

export function obstacleOf({ text, attachments, about }: Draft, { isReachable }: Partner): Obstacle {
  if (about?.kind === "edit") return text.trim() === "" ? "empty" : isTooLong(text) ? "too-long" : null;
  if (!isReachable) return "nobody";
  if (text.trim() === "" && attachments.length === 0) return "empty";
  return isTooLong(text) ? "too-long" : null;
}

/** Each obstacle in words. */
export function useObstacleWords(): Readonly<Record<NonNullable<Obstacle>, string>> {
  const t = useT();
  const format = useFormat();
  return {
    empty: t("composer.sendEmpty"),
    nobody: useNobodyHere(),
    "too-long": t("composer.tooLong", { limit: format.size(limits.textBytes) }),
  };
}
