import type { Call } from "@warren/core";
import { isSound } from "@warren/protocol";
import { useEffect } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { AvatarById } from "../../people/person-avatar.tsx";
import { useFirstNameOf } from "../../people/use-person.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { CameraIcon, PhoneIcon } from "../../ui/icons.ts";
import { announcer } from "../../wiring/announcer.ts";
import { useOption, useStore } from "../../wiring/warren-context.ts";
import { useCalling } from "../use-calling.ts";
import { WatchButton } from "./watch-button.tsx";

const announceCall = announcer.kind<string>((sentences) => sentences.join(" "));

/** What others share, before one agreed to hear or see it: nothing of it is played. */
export function OfferedCall({ call, isBar }: { readonly call: Call; readonly isBar: boolean }) {
  const t = useT();
  const format = useFormat();
  const nameOf = useFirstNameOf();
  const { joinRoom } = useCalling();
  const joinWithCamera = useOption("joinWithCamera");
  const { remote } = useStore(call.store);
  const sharers = [...new Set(remote.map(({ from }) => from))];
  const words = t("call.others", { count: sharers.length, names: format.list(sharers.map(nameOf)) });
  useEffect(() => announceCall("call", words), [words]);
  const [first] = sharers;
  if (first === undefined) return null;
  const screen = remote.findLast(({ kind }) => kind === "screen");
  const hasPictures = remote.some(({ kind }) => !isSound(kind));
  const isCall = remote.some(({ kind }) => kind === "microphone");
  const withCamera = joinWithCamera && remote.some(({ kind }) => kind === "camera");
  return (
    <div className={cx("flex min-w-0", isBar ? "flex-1 items-center gap-2" : "flex-col gap-2.5 px-3 pb-3")}>
      <div className={cx("flex min-w-0 items-center", isBar ? "flex-1 gap-2.5" : "gap-3")}>
        <AvatarById id={first} size={isBar ? 36 : 40} />
        <div className="min-w-0 flex-1">
          <p className="line-clamp-2 font-medium">{words}</p>
          {screen && (
            <p className="truncate text-meta text-text-2">
              {t("call.sharesScreen", { name: nameOf(screen.from) })}
            </p>
          )}
        </div>
      </div>
      <div className="flex justify-end gap-2">
        {hasPictures ? (
          <WatchButton variant={isCall ? "secondary" : "primary"} />
        ) : (
          <Button size="sm" onClick={() => call.setAudioEnabled(true)}>
            {t("call.listen")}
          </Button>
        )}
        {isCall && (
          <Button
            variant="primary"
            size="sm"
            icon={withCamera ? CameraIcon : PhoneIcon}
            onClick={() => void joinRoom({ video: withCamera })}
          >
            {t("call.ring.join")}
          </Button>
        )}
      </div>
    </div>
  );
}
