import type { ClientId } from "@warren/protocol";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { firstNameOf } from "../../people/shown-name.ts";
import { useNameOf } from "../../people/use-person.ts";
import type { PresenceChange } from "../../tab/presence.ts";

/** The most people named of those who came, and of those who went. */
const namedMax = 2;

/** One line for all who came and went between two messages. */
export function PresenceLine({ joined, left }: PresenceChange) {
  const t = useT();
  const format = useFormat();
  const nameOf = useNameOf();
  const namesOf = (ids: readonly ClientId[]): string => {
    // "And 1 other" is no shorter than a name.
    const named = ids.length <= namedMax + 1 ? ids : ids.slice(0, namedMax);
    const others = ids.length - named.length;
    const names = named.map((id) => firstNameOf(nameOf(id)));
    return format.list(others === 0 ? names : [...names, t("presence.others", { count: others })]);
  };
  const parts = [
    ...(joined.length > 0 ? [t("presence.joined", { names: namesOf(joined) })] : []),
    ...(left.length > 0 ? [t("presence.left", { names: namesOf(left) })] : []),
  ];
  return <p className="on-picture my-3 break-words text-center text-meta text-text-3">{parts.join(" · ")}</p>;
}
