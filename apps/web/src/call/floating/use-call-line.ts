import type { CallState } from "@warren/core";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { useFirstNameOf } from "../../people/use-person.ts";

/**
 * Who sees or hears what, where the picture of who speaks does not say so: a screen that I share, nobody who receives anything, and
 * with whom I talk if they are several.
 */
export function useCallLine({ local, remote }: CallState, isPrivate: boolean): string | null {
  const t = useT();
  const format = useFormat();
  const nameOf = useFirstNameOf();
  const screenCount = local.filter(({ kind }) => kind === "screen").length;
  const watchers = new Set(local.flatMap((source) => source.watchers));
  const names = (ids: Iterable<string>): string => format.list([...ids].map(nameOf));
  if (local.length > 0 && watchers.size === 0 && !isPrivate) return t("call.unheard");
  if (screenCount > 0 && watchers.size > 0)
    return t("call.sharing", { count: screenCount, names: names(watchers) });
  const others = new Set([...remote.map(({ from }) => from), ...watchers]);
  return isPrivate || others.size === 0 ? null : t("call.withPeople", { names: names(others) });
}
