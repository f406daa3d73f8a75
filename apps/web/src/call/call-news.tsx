import { type Call, peersOf, type RemoteSource } from "@warren/core";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useT } from "../i18n/use-t.ts";
import { firstNameOf, shownName } from "../people/shown-name.ts";
import { useDevice } from "../ui/device-context.tsx";
import { toast } from "../ui/toaster.tsx";
import { useWarren } from "../ui/warren-context.tsx";
import { type DeviceKind, reopen } from "./local-media.ts";
import { useCallState } from "./use-call.ts";

/** Long enough to read and to reach its button. */
const offerMs = 12_000;
/** From so many on each costs the sender's line noticeably. */
const manyWatchers = 7;

/** The first name of somebody, from wherever it is known. */
export function useFirstNameOf(): (clientId: string) => string {
  const t = useT();
  const { room, chat, profile } = useWarren();
  return (clientId) => {
    const peer = peersOf(room.store.getState())[clientId];
    const { contacts } = chat.store.getState();
    const name = shownName(clientId, contacts, profile.get().name, peer?.profile?.name);
    return firstNameOf(name ?? t("people.someone"));
  };
}

interface CallNewsProps {
  readonly call: Call;
  /** The address of the stage. */
  readonly path: string;
}

/** Tells what happens in a call: what others begin to share, and what became of one's own devices. Stands once. */
export function CallNews({ call, path }: CallNewsProps) {
  const t = useT();
  const [pathname, navigate] = useLocation();
  const nameOf = useFirstNameOf();
  const isOnStage = pathname === path;
  const latest = useRef({ isOnStage, nameOf, navigate });
  latest.current = { isOnStage, nameOf, navigate };

  useEffect(() => {
    const offer = ({ kind, from }: RemoteSource): void => {
      const { isAudioEnabled } = call.store.getState();
      const name = latest.current.nameOf(from);
      // The stage shows it all by itself.
      if (latest.current.isOnStage) return;
      if (kind === "microphone" && !isAudioEnabled) {
        toast.info(t("call.talks", { name }), {
          id: "call/talks",
          duration: offerMs,
          action: { label: t("call.listen"), onClick: () => call.setAudioEnabled(true) },
        });
      } else if (kind === "screen" || kind === "camera") {
        toast.info(t(kind === "screen" ? "call.sharesScreen" : "call.sharesCamera", { name }), {
          id: "call/shares",
          duration: offerMs,
          action: {
            label: t("call.watch"),
            onClick: () => {
              call.setAudioEnabled(true);
              latest.current.navigate(path);
            },
          },
        });
      }
    };
    // What was shared before this was here.
    for (const source of call.store.getState().remote) if (!source.muted) offer(source);
    const stop = [
      call.on("offered", offer),
      call.on("stepped-down", () =>
        toast.info(t("call.steppedDown"), { description: t("call.steppedDownLine") }),
      ),
    ];
    return () => {
      for (const end of stop) end();
    };
  }, [call, path, t]);

  const { isAudioEnabled } = useCallState(call);
  useEffect(() => {
    if (isOnStage || isAudioEnabled) toast.dismiss("call/talks");
    if (isOnStage) toast.dismiss("call/shares");
  }, [isOnStage, isAudioEnabled]);

  useDevices(call);
  useRefusals(call);
  useManyWatchers(call);
  return null;
}

/** Survives devices that are pulled out, takes them up again, follows the settings, and offers what is plugged in. */
function useDevices(call: Call): void {
  const t = useT();
  const { media } = useDevice();
  const { settings } = useWarren();
  useEffect(() => {
    if (media === null) return;
    let known: ReadonlySet<string> | null = null;
    const live = (kind: DeviceKind) => call.store.getState().local.find((source) => source.kind === kind);
    const list = async (): Promise<readonly MediaDeviceInfo[]> => media.enumerateDevices().catch(() => []);
    void list().then((devices) => {
      known ??= new Set(devices.map(({ deviceId }) => deviceId));
    });
    const restart = async (kind: DeviceKind): Promise<void> => {
      const source = live(kind);
      if (source === undefined) return;
      const wasLost = source.lost;
      const isBack = await reopen(call, media, source, settings.get());
      if (wasLost && isBack) toast.success(t(`call.back.${kind}`), { id: `call/lost/${kind}` });
    };
    const onChange = async (): Promise<void> => {
      const devices = await list();
      const before = known;
      known = new Set(devices.map(({ deviceId }) => deviceId));
      for (const kind of ["camera", "microphone"] as const) {
        const source = live(kind);
        if (source?.lost === true) await restart(kind);
        else if (source !== undefined && before !== null) {
          const plugged = devices.find(
            (device) =>
              device.kind === (kind === "camera" ? "videoinput" : "audioinput") &&
              device.label !== "" &&
              !before.has(device.deviceId),
          );
          if (plugged !== undefined) offer(kind, plugged);
        }
      }
    };
    const offer = (kind: DeviceKind, { deviceId, label }: MediaDeviceInfo): void => {
      toast.info(t("call.plugged", { device: label }), {
        id: `call/plugged/${kind}`,
        duration: offerMs,
        action: {
          label: t("call.useIt"),
          onClick: () => settings.set(kind === "camera" ? "cameraId" : "microphoneId", deviceId),
        },
      });
    };
    const stopListening = call.on("ended", ({ kind }) => {
      if (kind !== "camera" && kind !== "microphone") return;
      toast.warning(t(`call.lost.${kind}`), {
        id: `call/lost/${kind}`,
        description: t(`media.${kind}.unplugged`),
        duration: offerMs,
      });
      // Another one may be there already.
      void restart(kind);
    });
    const stopFollowing = settings.store.subscribe((now, before) => {
      if (now.cameraId !== before.cameraId) void restart("camera");
      const camera = now.cameraPreset === before.cameraPreset ? undefined : live("camera");
      if (camera !== undefined) call.setPreset(camera.id, now.cameraPreset);
      const isOther = (
        ["microphoneId", "noiseSuppression", "echoCancellation", "autoGainControl", "voiceIsolation"] as const
      ).some((name) => now[name] !== before[name]);
      if (isOther) void restart("microphone");
    });
    const listener = (): void => void onChange();
    media.addEventListener("devicechange", listener);
    return () => {
      stopListening();
      stopFollowing();
      media.removeEventListener("devicechange", listener);
    };
  }, [call, media, settings, t]);
}

/** Says once of each person that their browser cannot take what I share; it breaks the connection. */
function useRefusals(call: Call): void {
  const t = useT();
  const { room } = useWarren();
  const nameOf = useFirstNameOf();
  const latest = useRef(nameOf);
  latest.current = nameOf;
  useEffect(() => {
    const told = new Set<string>();
    return room.store.subscribe((state) => {
      for (const { clientId, error } of Object.values(peersOf(state))) {
        if (error?.code !== "media-refused" || told.has(clientId)) continue;
        if (call.store.getState().local.length === 0) continue;
        told.add(clientId);
        toast.warning(t("call.refused", { name: latest.current(clientId) }), {
          id: `call/refused/${clientId}`,
          description: t("call.refusedLine"),
          duration: offerMs,
        });
      }
    });
  }, [call, room, t]);
}

/** Says once what many people who watch a camera cost, and offers a smaller picture. */
function useManyWatchers(call: Call): void {
  const t = useT();
  const { local } = useCallState(call);
  const camera = local.find(({ kind }) => kind === "camera");
  const count = camera?.watchers.length ?? 0;
  const id = camera !== undefined && camera.preset !== "low" ? camera.id : null;
  const isMany = count >= manyWatchers;
  useEffect(() => {
    if (!isMany || id === null) return;
    toast.info(
      t("call.many", {
        count: call.store.getState().local.find((one) => one.id === id)?.watchers.length ?? 0,
      }),
      {
        id: "call/many",
        description: t("call.manyLine"),
        duration: offerMs,
        action: { label: t("call.manyLower"), onClick: () => call.setPreset(id, "low") },
      },
    );
  }, [call, id, isMany, t]);
}
