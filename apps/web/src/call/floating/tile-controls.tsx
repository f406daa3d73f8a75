import type { Call } from "@warren/core";
import { isSound } from "@warren/protocol";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import {
  CameraIcon,
  CameraOffIcon,
  ExitFullScreenIcon,
  FullScreenIcon,
  HangUpIcon,
  MicrophoneIcon,
  MicrophoneOffIcon,
  StopIcon,
} from "../../ui/icons.ts";
import { useStore, useWarren } from "../../wiring/warren-context.ts";
import { useCallActions } from "../use-call-actions.ts";
import type { FloatingTile } from "./use-floating-tile.ts";
import { WatchButton } from "./watch-button.tsx";

interface TileControlsProps {
  readonly call: Call;
  readonly floating: FloatingTile;
}

/** What one needs of a call on another page: the microphone, and where there is space the camera and the tile's size. */
export function TileControls({ call, floating: { isBar, isLarge, setLarge } }: TileControlsProps) {
  const t = useT();
  const { remote, isAudioEnabled, isVideoEnabled } = useStore(call.store);
  const { camera, screens, isMuted, toggleMicrophone, toggleCamera, stopScreens } = useCallActions(call);
  return (
    <>
      <IconButton
        icon={isMuted ? MicrophoneOffIcon : MicrophoneIcon}
        label={t("call.microphone")}
        aria-pressed={!isMuted}
        shortcut="M"
        tooltipSide="top"
        className={isMuted ? "text-danger" : undefined}
        onClick={toggleMicrophone}
      />
      {!isBar && (
        <IconButton
          icon={camera === undefined ? CameraOffIcon : CameraIcon}
          label={t("call.camera")}
          aria-pressed={camera !== undefined}
          shortcut="V"
          tooltipSide="top"
          onClick={toggleCamera}
        />
      )}
      {screens.length > 0 && (
        <IconButton icon={StopIcon} label={t("call.stopScreen")} tooltipSide="top" onClick={stopScreens} />
      )}
      {!isAudioEnabled && remote.some(({ kind }) => isSound(kind)) && (
        <Button size="sm" onClick={() => call.setAudioEnabled(true)}>
          {t("call.listen")}
        </Button>
      )}
      {!isVideoEnabled && remote.some(({ kind }) => !isSound(kind)) && <WatchButton variant="primary" />}
      {!isBar && (
        <IconButton
          icon={isLarge ? ExitFullScreenIcon : FullScreenIcon}
          label={t(isLarge ? "call.smallerTile" : "call.largerTile")}
          tooltipSide="top"
          className="ml-auto"
          onClick={() => setLarge(!isLarge)}
        />
      )}
    </>
  );
}

/** Ends my part in the call. */
export function HangUpButton({ isCalling }: { readonly isCalling: boolean }) {
  const t = useT();
  const roomCall = useWarren().call;
  return (
    <IconButton
      icon={HangUpIcon}
      label={t(isCalling ? "call.ring.cancel" : "call.leave")}
      tooltipSide="top"
      className="bg-stage-end text-white hover:bg-stage-end hover:text-white hover:brightness-110"
      onClick={() => roomCall.leave()}
    />
  );
}
