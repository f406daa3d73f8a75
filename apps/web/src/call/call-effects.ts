import { type Call, peersOf } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useEffect, useEffectEvent } from "react";
import { useT } from "../i18n/use-t.ts";
import { useFirstNameOf } from "../people/use-person.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { toast } from "../wiring/toast.ts";
import { useStore, useWarren } from "../wiring/warren-context.ts";
import { type DeviceKind, reopen } from "./local-media.ts";

/** Long enough to read the toast and to reach its button. */
const offerMs = 12_000;
/** From this many watchers on, each one costs noticeable upload bandwidth. */
const manyWatchers = 7;

/** Reports events of a call: failures of one's own devices, and of those who receive. Renders nothing; rendered once. */
export function CallEffects({ call }: { readonly call: Call }) {
  const t = useT();
  useEffect(
    () =>
      call.on("stepped-down", () => {
        toast.info(t("call.steppedDown"), { description: t("call.steppedDownLine") });
      }),
    [call, t],
  );
  useDevices(call);
  useRefusals(call);
  useManyWatchers(call);
  return null;
}

/**
 * Replaces devices that are unplugged, reopens them when they return, applies changed settings, and offers
 * newly plugged-in devices.
 */
function useDevices(call: Call): void {
  const t = useT();
  const { media } = usePlatform();
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
        durationMs: offerMs,
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
        durationMs: offerMs,
      });
      // Another device may be available already.
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

/** Reports once per peer that its browser cannot receive what I share, which breaks the connection. */
function useRefusals(call: Call): void {
  const t = useT();
  const { room } = useWarren();
  const nameOf = useFirstNameOf();
  const report = useEffectEvent((clientId: ClientId): void => {
    toast.warning(t("call.refused", { name: nameOf(clientId) }), {
      id: `call/refused/${clientId}`,
      description: t("call.refusedLine"),
      durationMs: offerMs,
    });
  });
  useEffect(() => {
    const reported = new Set<string>();
    return room.store.subscribe((state) => {
      for (const { clientId, error } of Object.values(peersOf(state))) {
        if (error?.code !== "media-refused" || reported.has(clientId)) continue;
        if (call.store.getState().local.length === 0) continue;
        reported.add(clientId);
        report(clientId);
      }
    });
  }, [call, room]);
}

/** Warns once that a camera has many watchers, and offers a lower resolution. */
function useManyWatchers(call: Call): void {
  const t = useT();
  const { local } = useStore(call.store);
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
        durationMs: offerMs,
        action: { label: t("call.manyLower"), onClick: () => call.setPreset(id, "low") },
      },
    );
  }, [call, id, isMany, t]);
}
