import { truncated } from "@warren/protocol";
import { useT } from "../../i18n/use-t.ts";
import type { Partner } from "../../people/use-partner.ts";
import { useBreakpoint } from "../../ui/hooks/use-media-query.ts";

/** Maximum length of a name in the placeholder. */
const shownNameMax = 20;

/** The placeholder in one line: a phone has no space to mention drag and drop, a touch device no use for it. */
export function usePlaceholder({ isRoom, isHere, firstName }: Partner, isTouch: boolean): string {
  const t = useT();
  const isShort = useBreakpoint() === "phone" || isTouch;
  const name = shortened(firstName);
  if (isRoom) return isShort ? t("placeholder.everyoneTouch") : t("placeholder.everyone");
  if (!isHere) return isShort ? t("placeholder.awayShort", { name }) : t("placeholder.away", { name });
  return isShort ? t("placeholder.personTouch", { name }) : t("placeholder.person", { name });
}

/**
 * The field grows with its placeholder: a very long name would leave no space for the conversation on a
 * phone.
 */
function shortened(name: string): string {
  return name.length <= shownNameMax ? name : `${truncated(name, shownNameMax - 1)}…`;
}
