import { type Call, cameraPresets, isTakingPart, screenPresets } from "@warren/core";
import { type ComponentProps, useMemo, useRef } from "react";
import { useChooseMedia } from "../devices/use-choose-media.ts";
import { useSoundLevel } from "../devices/use-sound-level.ts";
import { useT } from "../i18n/use-t.ts";
import { cx } from "../ui/cx.ts";
import {
  CameraIcon,
  CameraOffIcon,
  CloseIcon,
  HangUpIcon,
  type Icon,
  MicrophoneIcon,
  MicrophoneOffIcon,
  ScreenIcon,
  SettingsIcon,
  SoundIcon,
  SoundOffIcon,
  StopIcon,
} from "../ui/icons.ts";
import { Menu, MenuChoice, MenuItem, MenuSeparator } from "../ui/overlays/menu.tsx";
import { Tooltip } from "../ui/overlays/tooltip.tsx";
import { usePlatform } from "../wiring/platform-context.ts";
import { printedKeys } from "../wiring/shortcuts/printed-keys.ts";
import { useToastInset } from "../wiring/use-toast-inset.ts";
import { useStore, useWarren } from "../wiring/warren-context.ts";
import { canShareScreen, canShareSound } from "./local-media.ts";
import { useCallActions } from "./use-call-actions.ts";
import { useUnansweredRing } from "./use-unanswered-ring.ts";

/** Microphone, camera, screen, sound, settings, leave: always in the same places, each named after what it turns on and off. */
export function CallControls({ call }: { readonly call: Call }) {
  const t = useT();
  const state = useStore(call.store);
  const { isAudioEnabled } = state;
  const { outgoing, partner } = useStore(useWarren().call.ringing.store);
  const isIn = outgoing !== null || partner !== null || isTakingPart(state);
  const isCalling = useUnansweredRing(call) !== null;
  const { microphone, camera, isMuted, toggleMicrophone, toggleCamera, leave } = useCallActions(call);
  const bar = useRef<HTMLDivElement>(null);
  useToastInset(bar);
  return (
    <div
      ref={bar}
      className="pointer-events-none relative col-start-1 row-start-2 flex min-w-0 flex-col items-center justify-center px-4 pt-3 pb-[max(16px,env(safe-area-inset-bottom))] low:col-start-2 low:row-start-1 low:row-end-3 low:py-2 low:pr-3 low:pl-0 max-md:px-3 max-[360px]:px-1.5"
    >
      <div
        role="toolbar"
        aria-label={t("call.controls")}
        className="pointer-events-auto flex gap-1.5 rounded-bubble bg-stage-bar p-2 shadow-menu max-md:w-full max-[360px]:gap-0.5 max-[360px]:p-1 low:max-h-full low:w-auto low:flex-col low:gap-1 low:p-1.5"
      >
        <Control
          icon={isMuted ? MicrophoneOffIcon : MicrophoneIcon}
          label={t("call.microphone")}
          shortcut="M"
          isOn={!isMuted}
          level={microphone !== undefined && !isMuted ? <Level track={microphone.track} /> : null}
          onClick={toggleMicrophone}
        />
        <Control
          icon={camera === undefined ? CameraOffIcon : CameraIcon}
          label={t("call.camera")}
          shortcut="V"
          isOn={camera !== undefined}
          onClick={toggleCamera}
        />
        <ShareControl call={call} />
        <Control
          icon={isAudioEnabled ? SoundIcon : SoundOffIcon}
          label={t("call.sound")}
          isOn={isAudioEnabled}
          onClick={() => call.setAudioEnabled(!isAudioEnabled)}
        />
        <SettingsControl call={call} />
        <Control
          icon={isIn ? HangUpIcon : CloseIcon}
          label={t(isCalling ? "call.ring.cancel" : isIn ? "call.leave" : "common.close")}
          isEnd={isIn}
          onClick={leave}
        />
      </div>
    </div>
  );
}

function Level({ track }: { readonly track: MediaStreamTrack }) {
  const stream = useMemo(() => new MediaStream([track]), [track]);
  const level = useSoundLevel(stream) ?? 0;
  return (
    <span
      aria-hidden="true"
      className="absolute inset-x-4 bottom-1 h-0.5 overflow-hidden rounded-full bg-track"
    >
      <span
        className="block h-full rounded-full bg-stage-speaking"
        style={{ width: `${Math.round(level * 100)}%` }}
      />
    </span>
  );
}

interface ControlProps extends Omit<ComponentProps<"button">, "children"> {
  readonly icon: Icon;
  readonly label: string;
  /** Below the icon, if not the whole label. */
  readonly word?: string;
  readonly shortcut?: string;
  /** Of what is turned on and off. */
  readonly isOn?: boolean;
  readonly isEnd?: boolean;
  readonly level?: React.ReactNode;
  readonly disabledReason?: string | undefined;
}

function Control({
  icon: Glyph,
  label,
  word = label,
  shortcut,
  isOn,
  isEnd = false,
  level = null,
  disabledReason,
  onClick,
  className,
  ...rest
}: ControlProps) {
  const isDisabled = disabledReason !== undefined;
  return (
    <Tooltip text={disabledReason ?? label} keys={shortcut && printedKeys(shortcut)} side="top">
      <button
        type="button"
        aria-label={label}
        aria-describedby={undefined}
        aria-disabled={isDisabled || undefined}
        aria-pressed={isOn}
        onClick={isDisabled ? undefined : onClick}
        className={cx(
          "relative flex h-13 w-18 select-none flex-col items-center justify-center gap-0.5 rounded-row font-medium text-micro transition-colors max-md:w-auto max-md:min-w-0 max-md:flex-1 low:min-h-11 low:w-14 low:flex-auto",
          isEnd
            ? "bg-stage-end text-white"
            : "bg-stage-control text-white hover:bg-selected aria-pressed:bg-text aria-pressed:text-surface data-on:bg-text data-on:text-surface",
          isDisabled && "cursor-default text-text-3",
          className,
        )}
        {...rest}
      >
        <Glyph size={20} />
        <span className="max-w-full truncate">{word}</span>
        {level}
      </button>
    </Tooltip>
  );
}

function ShareControl({ call }: { readonly call: Call }) {
  const t = useT();
  const { media } = usePlatform();
  const { screens, share } = useCallActions(call);
  if (media === null || !canShareScreen(media)) {
    return (
      <Control
        icon={ScreenIcon}
        label={t("call.share")}
        word={t("call.short.share")}
        disabledReason={t("call.noScreen")}
      />
    );
  }
  return (
    <Menu
      side="top"
      align="center"
      trigger={
        <Control
          icon={ScreenIcon}
          label={t("call.share")}
          word={t("call.short.share")}
          shortcut="S"
          data-on={screens.length > 0 || undefined}
        />
      }
    >
      {screenPresets.map((preset) => (
        <MenuItem key={preset} icon={ScreenIcon} onSelect={() => share(preset)}>
          {t(`call.presets.${preset}`)}
        </MenuItem>
      ))}
      <p className="max-w-72 px-2 py-1.5 text-meta text-text-2">
        {t(canShareSound() ? "call.soundToo" : "call.noSound")}
      </p>
      {screens.length > 0 && <MenuSeparator />}
      {screens.map((screen, index) => (
        <MenuItem key={screen.id} icon={StopIcon} danger onSelect={() => call.stop(screen.id)}>
          {screens.length > 1 ? t("call.stopScreenNumber", { number: index + 1 }) : t("call.stopScreen")}
        </MenuItem>
      ))}
    </Menu>
  );
}

function SettingsControl({ call }: { readonly call: Call }) {
  const t = useT();
  const chooseMedia = useChooseMedia();
  const { camera, setCameraPreset } = useCallActions(call);
  const preset = cameraPresets.find((one) => one === camera?.preset) ?? "standard";
  return (
    <Menu
      side="top"
      align="center"
      trigger={<Control icon={SettingsIcon} label={t("call.settings")} word={t("call.short.settings")} />}
    >
      <MenuItem icon={MicrophoneIcon} onSelect={() => void chooseMedia()}>
        {t("media.choose")}
      </MenuItem>
      {camera !== undefined && (
        <>
          <MenuSeparator />
          <MenuChoice
            label={t("call.cameraQuality")}
            value={preset}
            options={cameraPresets.map((value) => ({ value, label: t(`call.presets.${value}`) }))}
            onChange={setCameraPreset}
          />
        </>
      )}
    </Menu>
  );
}
