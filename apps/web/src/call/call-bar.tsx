import type { Call } from "@warren/core";
import { Link } from "wouter";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { HangUpIcon, MicrophoneIcon, MicrophoneOffIcon, PhoneIcon, StopIcon } from "../ui/icons.ts";
import { paths } from "../wiring/paths.ts";
import { useStore, useWarren } from "../wiring/warren-context.tsx";
import { useCallActions } from "./use-call-actions.ts";
import { useFirstNameOf } from "./use-first-name-of.ts";

/**
 * On every page but the stage: what I share and with whom, or what others share, with a link to the stage.
 */
export function CallBar({ call }: { readonly call: Call }) {
  const t = useT();
  const format = useFormat();
  const nameOf = useFirstNameOf();
  const { ringing } = useWarren().call;
  const { local, remote, isAudioEnabled } = useStore(call.store);
  const { microphone, camera, screens, isMuted, toggleMicrophone, stopScreens, leave } = useCallActions(call);
  const isRinging = useStore(
    ringing.store,
    ({ incoming, outgoing }) => incoming.length > 0 || outgoing !== null,
  );
  // What rings has a card of its own.
  if (isRinging || (local.length === 0 && remote.length === 0)) return null;
  const shared = [
    ...(microphone ? [t(isMuted ? "call.part.muted" : "call.part.microphone")] : []),
    ...(camera ? [t("call.part.camera")] : []),
    ...(screens.length > 0 ? [t("call.part.screen", { count: screens.length })] : []),
  ];
  const audience = [...new Set(local.flatMap(({ watchers }) => watchers))].map(nameOf);
  const sharers = [...new Set(remote.map(({ from }) => from))].map(nameOf);
  const isSharing = shared.length > 0;
  const words = isSharing
    ? audience.length > 0
      ? t("call.shareWith", { what: format.list(shared), names: format.list(audience) })
      : t("call.shareAlone", { what: format.list(shared) })
    : t("call.others", { count: sharers.length, names: format.list(sharers) });
  const hasPictures = remote.some(({ kind }) => kind === "screen" || kind === "camera");
  const canHear =
    !isAudioEnabled && remote.some(({ kind }) => kind === "microphone" || kind === "screen-sound");
  return (
    <section
      aria-label={t("call.title")}
      className="flex min-h-11 shrink-0 items-center gap-2 border-line border-b bg-accent-soft px-4 py-1 text-compact text-text"
    >
      <span
        aria-hidden="true"
        className={cx(
          "size-2 shrink-0 rounded-full",
          isSharing && !(isMuted && screens.length === 0 && camera === undefined) ? "bg-danger" : "bg-live",
        )}
      />
      <p className="line-clamp-2 min-w-0 flex-1" title={words}>
        {words}
      </p>
      {microphone !== undefined && (
        <IconButton
          icon={isMuted ? MicrophoneOffIcon : MicrophoneIcon}
          label={t(isMuted ? "call.unmute" : "call.mute")}
          shortcut="M"
          onClick={toggleMicrophone}
        />
      )}
      {screens.length > 0 && (
        <Button size="sm" icon={StopIcon} onClick={stopScreens} className="max-md:hidden">
          {t("call.stopScreen")}
        </Button>
      )}
      {screens.length > 0 && (
        <IconButton
          icon={StopIcon}
          label={t("call.stopScreen")}
          onClick={stopScreens}
          className="md:hidden"
        />
      )}
      {canHear && (
        <Button size="sm" onClick={() => call.setAudioEnabled(true)}>
          {t("call.listen")}
        </Button>
      )}
      <Link
        to={paths.video}
        className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-control bg-accent px-2.5 font-medium text-compact text-on-accent hover:bg-accent-hover touch:h-11 touch:min-w-11 touch:justify-center"
      >
        <PhoneIcon size={15} />
        <span className="max-md:sr-only">{t(isSharing || !hasPictures ? "call.open" : "call.watch")}</span>
      </Link>
      {isSharing && (
        <IconButton icon={HangUpIcon} label={t("call.leave")} className="text-danger" onClick={leave} />
      )}
    </section>
  );
}
