import { useT } from "../../i18n/use-t.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { type EmojiGroup, emojiGroups } from "./emoji-groups.ts";

const groups = Object.keys(emojiGroups).filter((name): name is EmojiGroup => name in emojiGroups);

/** All emoji to choose from, by group. Screen readers know their names, in every language. */
export function EmojiDialog({ dialog }: DialogSlot<string>) {
  const t = useT();
  return (
    <Dialog dialog={dialog} title={t("emojiChoice.title")} closeLabel={t("common.close")} initialFocus="top">
      <nav aria-label={t("emojiChoice.groups")} className="flex justify-between">
        {groups.map((group) => (
          <button
            key={group}
            type="button"
            aria-label={t(`emojiChoice.${group}`)}
            className="flex size-9 items-center justify-center rounded-control text-[18px] hover:bg-hover"
            onClick={() => document.getElementById(idOf(group))?.scrollIntoView({ block: "start" })}
          >
            <span aria-hidden="true">{emojiGroups[group].split(" ", 1)[0]}</span>
          </button>
        ))}
      </nav>
      <div className="mt-1 h-[min(340px,50dvh)] overflow-y-auto overscroll-contain">
        {groups.map((group) => (
          <section
            key={group}
            id={idOf(group)}
            aria-labelledby={`${idOf(group)}-title`}
            // So many buttons are only laid out once they come into sight.
            className="[content-visibility:auto] [contain-intrinsic-size:auto_900px]"
          >
            <h3 id={`${idOf(group)}-title`} className="py-1.5 text-meta text-text-2">
              {t(`emojiChoice.${group}`)}
            </h3>
            <div className="grid grid-cols-[repeat(auto-fill,minmax(40px,1fr))]">
              {emojiGroups[group].split(" ").map((emoji) => (
                <button
                  key={emoji}
                  type="button"
                  className="flex h-10 items-center justify-center rounded-control text-[22px] hover:bg-hover touch:h-11"
                  onClick={() => dialog.submit(emoji)}
                >
                  {emoji}
                </button>
              ))}
            </div>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function idOf(group: EmojiGroup): string {
  return `emoji-${group}`;
}
