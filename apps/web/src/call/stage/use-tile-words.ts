import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { firstNameOf } from "../../people/shown-name.ts";
import { useFirstNameOf, useName } from "../../people/use-person.ts";
import type { StageItem } from "./stage-items.ts";

/** The texts of a tile: its owner, its details, and a sentence for an unusual state. */
export function useTileWords({ person, kind, picture }: StageItem): {
  readonly name: string;
  readonly detail: string | null;
  readonly state: string | null;
} {
  const t = useT();
  const format = useFormat();
  const nameOf = useFirstNameOf();
  const fullName = useName(person ?? "");
  const first = person === null ? null : firstNameOf(fullName);
  const name =
    kind === "screen"
      ? first === null
        ? t("call.yourScreen")
        : t("call.screenOf", { name: first })
      : person === null
        ? t("call.you")
        : fullName;
  const label = kind === "screen" && picture !== null && isMeaningful(picture.label) ? picture.label : null;
  const watchers = picture?.watchers ?? [];
  const watched =
    watchers.length > 0
      ? t("call.watching", { count: watchers.length, names: format.list(watchers.map(nameOf)) })
      : null;
  return { name, detail: watched ?? label, state: picture === null ? null : stateOf() };

  function stateOf(): string | null {
    if (picture === null) return null;
    if (picture.key === null) return picture.muted ? t("call.state.lost") : null;
    const whose = first ?? "";
    if (picture.paused) return t("call.state.paused");
    if (picture.track === null) return t("call.state.away", { name: whose });
    if (picture.muted) return t("call.state.off", { name: whose });
    if (picture.reception === "frozen") return t("call.state.frozen", { name: whose });
    return picture.reception === "weak" ? t("call.state.weak", { name: whose }) : null;
  }
}

const idLength = 24;

/** Titles, unlike the ids of browsers ("screen:0:0", "web-contents-media-stream://…"), are words. */
function isMeaningful(label: string): boolean {
  return label.trim() !== "" && !/^[\w-]+:\S/.test(label) && (label.length < idLength || /\s/.test(label));
}
