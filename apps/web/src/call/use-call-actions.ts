import type { Call, CameraPreset, ScreenPreset } from "@warren/core";
import { useLocation } from "wouter";
import { useT } from "../i18n/use-t.ts";
import { useChatPath } from "../room/use-chat-path.ts";
import { paths } from "../wiring/paths.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { toast } from "../wiring/toast.ts";
import { useOptions, useStore, useWarren } from "../wiring/warren-context.ts";
import { canShareScreen, canShareSound, type DeviceKind, startDevice, startScreen } from "./local-media.ts";
import { useReportStart } from "./use-report-start.ts";

/** The user's actions in a call, with messages for their failures. */
export function useCallActions(call: Call) {
  const t = useT();
  const { media } = usePlatform();
  const { settings, call: roomCall } = useWarren();
  const options = useOptions();
  const [pathname, navigate] = useLocation();
  const chatPath = useChatPath();
  const { local } = useStore(call.store);
  const microphone = local.find(({ kind }) => kind === "microphone");
  const camera = local.find(({ kind }) => kind === "camera");
  const screens = local.filter(({ kind }) => kind === "screen");

  const reportStart = useReportStart();

  const start = async (kind: DeviceKind): Promise<void> => {
    if (media === null) return;
    const failure = await startDevice(call, media, { kind, options });
    reportStart(failure);
    // Whoever speaks wants to hear replies.
    if (failure === null && kind === "microphone") call.setAudioEnabled(true);
  };

  /** Shares another screen; without a choice, with the last preset. */
  const share = (preset: ScreenPreset = options.screenPreset): void => {
    settings.set("screenPreset", preset);
    if (media !== null) void startScreen(call, media, options, preset).then(reportStart);
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
      const isMuted = microphone !== undefined && !microphone.muted;
      settings.set("joinMuted", isMuted);
      if (microphone === undefined) void start("microphone");
      else call.setMuted(microphone.id, isMuted);
    },
    toggleCamera: (): void => {
      settings.set("joinWithCamera", camera === undefined);
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
      roomCall.leave();
      if (pathname === paths.call.path) navigate(chatPath);
    },
  };
}
