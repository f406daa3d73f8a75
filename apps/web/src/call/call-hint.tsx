import type { Call } from "@warren/core";
import { isSound } from "@warren/protocol";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { printedKeys } from "../wiring/shortcuts/printed-keys.ts";
import { useStore } from "../wiring/warren-context.ts";

interface CallHintProps {
  readonly call: Call;
  /** Nobody shares anything, which the stage says. */
  readonly isEmpty: boolean;
  readonly className: string;
}

/** What a user should know before pressing anything. */
export function CallHint({ call, isEmpty, className }: CallHintProps) {
  const t = useT();
  const { local, remote, isAudioEnabled } = useStore(call.store);
  const microphone = local.find(({ kind }) => kind === "microphone");
  const isSilent = !isAudioEnabled && remote.some(({ kind }) => isSound(kind));
  const canTalk = microphone?.muted === true && !microphone.lost;
  return (
    <div role="status" className={cx("flex min-w-0 justify-center text-meta text-text-2", className)}>
      {isSilent ? (
        <p className={`${pill} pr-1.5`}>
          <span className="min-w-0 md:truncate">{t("call.silent")}</span>
          <Button variant="primary" size="sm" className="shrink-0" onClick={() => call.setAudioEnabled(true)}>
            {t("call.listen")}
          </Button>
        </p>
      ) : local.length === 0 ? (
        !isEmpty && <p className={pill}>{t("call.notSharing")}</p>
      ) : (
        canTalk && (
          <p className={`${pill} max-md:hidden pointer-coarse:hidden`}>
            {t("call.holdToTalk", { key: printedKeys("Space") })}
          </p>
        )
      )}
    </div>
  );
}

const pill =
  "pointer-events-auto flex min-h-8 min-w-0 items-center gap-3 rounded-row border border-line bg-stage-bar px-3 py-1 text-center";
