import type { Call, RemoteSource } from "@warren/core";
import { isSound } from "@warren/protocol";
import { useEffect, useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { toast } from "../wiring/toast.ts";
import { useOption, useStore } from "../wiring/warren-context.ts";

/** Plays the voices of others and the sounds of their screens, once the user enabled sound. */
export function CallSounds({ call }: { readonly call: Call }) {
  const t = useT();
  const { remote, isAudioEnabled } = useStore(call.store);
  /** Counts clicks: browsers may block sound until one. */
  const [press, setPress] = useState(0);
  const onRefused = (): void => {
    toast.warning(t("call.silenced"), {
      id: "call/sound",
      description: t("call.silencedLine"),
      durationMs: Number.POSITIVE_INFINITY,
      action: { label: t("call.hearAll"), onClick: () => setPress((count) => count + 1) },
    });
  };
  if (!isAudioEnabled) return null;
  return remote
    .filter(({ kind }) => isSound(kind))
    .map((source) => <Sound key={source.key} source={source} press={press} onRefused={onRefused} />);
}

interface SoundProps {
  readonly source: RemoteSource;
  readonly press: number;
  readonly onRefused: () => void;
}

function Sound({ source: { track, volume, paused }, press, onRefused }: SoundProps) {
  const speakerId = useOption("speakerId");
  const [player] = useState(() => new Audio());
  useEffect(() => {
    if (track === null) return;
    player.srcObject = new MediaStream([track]);
    return () => {
      player.pause();
      player.srcObject = null;
    };
  }, [player, track]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: retried after each click
  useEffect(() => {
    if (track === null || paused) return player.pause();
    player.play().catch((thrown: unknown) => {
      if (thrown instanceof DOMException && thrown.name === "NotAllowedError") onRefused();
      // biome-ignore lint/suspicious/noConsole: the user cannot act on it, but it helps when debugging
      else console.info("a sound is not played", thrown);
    });
  }, [player, track, paused, press]);
  useEffect(() => {
    player.volume = volume;
  }, [player, volume]);
  useEffect(() => {
    // Missing in some browsers, whatever the types say. If the speaker is gone, the browser's default is
    // used.
    const { setSinkId }: Partial<HTMLAudioElement> = player;
    setSinkId?.call(player, speakerId ?? "").catch(() => {});
  }, [player, speakerId]);
  return null;
}
