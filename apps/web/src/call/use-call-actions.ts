import type { Call, CameraPreset, ScreenPreset } from "@warren/core";
import { useLocation } from "wouter";
import { useChooseMedia } from "../devices/media-dialog.tsx";
import { useT } from "../i18n/use-t.ts";
import { useChatPath } from "../room/use-chat-path.ts";
import { useDevice } from "../ui/device-context.tsx";
import { paths } from "../ui/paths.ts";
import { toast } from "../ui/toaster.tsx";
import { useOptions, useStore, useWarren } from "../ui/warren-context.tsx";
import {
  canShareScreen,
  canShareSound,
  type DeviceKind,
  type StartFailure,
  startDevice,
  startScreen,
} from "./local-media.ts";

/** The user's actions in a call, with messages for their failures. */
export function useCallActions(call: Call) {
  const t = useT();
  const { media } = useDevice();
  const { settings } = useWarren();
  const options = useOptions();
  const chooseMedia = useChooseMedia();
  const [pathname, navigate] = useLocation();
  const chatPath = useChatPath();
  const { local } = useStore(call.store);
  const microphone = local.find(({ kind }) => kind === "microphone");
  const camera = local.find(({ kind }) => kind === "camera");
  const screens = local.filter(({ kind }) => kind === "screen");

  const reportFailure = (failure: StartFailure | null): void => {
    if (failure === null) return;
    const { kind, reason } = failure;
    if (kind === "screen") {
      const words = { unsupported: "noScreen", denied: "screenDenied" } as const;
      const word = reason === "unsupported" || reason === "denied" ? words[reason] : "screenFailed";
      toast.error(t("call.notStarted.screen"), { id: "call/screen", description: t(`call.${word}`) });
      return;
    }
    toast.error(t(`call.notStarted.${kind}`), {
      id: `call/${kind}`,
      description: t(`media.${kind}.${reason === "unsupported" ? "failed" : reason}`),
      action: { label: t("media.choose"), onClick: () => void chooseMedia() },
    });
  };

  const start = async (kind: DeviceKind): Promise<void> => {
    if (media === null) return;
    const failure = await startDevice(call, media, kind, options);
    reportFailure(failure);
    // Whoever speaks wants to hear replies.
    if (failure === null && kind === "microphone") call.setAudioEnabled(true);
  };

  /** Shares another screen; without a choice, with the last preset. */
  const share = (preset: ScreenPreset = options.screenPreset): void => {
    settings.set("screenPreset", preset);
    if (media !== null) void startScreen(call, media, options, preset).then(reportFailure);
  };

  return {
    microphone,
    camera,
    screens,
    isMuted: microphone === undefined || microphone.muted || microphone.lost,
    setMuted: (muted: boolean): void => {
      if (microphone !== undefined) call.setMuted(microphone.id, muted);
    },
    toggleMicrophone: (): void => {
      if (microphone === undefined) void start("microphone");
      else call.setMuted(microphone.id, !microphone.muted);
    },
    toggleCamera: (): void => {
      if (camera === undefined) void start("camera");
      else call.stop(camera.id);
    },
    setCameraPreset: (preset: CameraPreset): void => {
      settings.set("cameraPreset", preset);
      if (camera !== undefined) call.setPreset(camera.id, preset);
    },
    share,
    /** As `share`, but first reports what this browser cannot share, which no menu has shown. */
    shareWithoutMenu: (): void => {
      if (media !== null && canShareScreen(media) && !canShareSound())
        toast.info(t("call.noSound"), { id: "call/no-sound" });
      share();
    },
    stopScreens: (): void => {
      for (const { id } of screens) call.stop(id);
    },
    /** Ends my part in the call; on its page it also returns to the conversation. */
    leave: (): void => {
      for (const { id } of call.store.getState().local) call.stop(id);
      call.setAudioEnabled(false);
      call.setVideoEnabled(false);
      if (pathname === paths.video) navigate(chatPath);
    },
  };
}
