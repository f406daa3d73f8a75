import type { Call, CallEvents, CallState, LocalSource, NewSource, Preset, RemoteSource } from "@warren/core";
import { createStore } from "zustand/vanilla";

/** A call without connections: the user's actions change its store, the test provides those of others. */
export interface FakeCall {
  readonly call: Call;
  set(change: Partial<CallState>): void;
  emit<T extends keyof CallEvents>(type: T, ...args: CallEvents[T]): void;
  /** The size at which each source is shown now, by its key. */
  readonly shown: ReadonlyMap<string, { readonly width: number; readonly height: number }>;
}

type Listener = (...args: readonly unknown[]) => void;

/** Creates a call in which nobody shares anything. */
export function fakeCall(): FakeCall {
  const store = createStore<CallState>(() => ({
    local: [],
    audience: null,
    remote: [],
    isAudioEnabled: false,
    isVideoEnabled: false,
    speaking: [],
    sinceMs: null,
  }));
  const listeners = new Map<string, Set<Listener>>();
  const shown = new Map<string, { readonly width: number; readonly height: number }>();
  let count = 0;
  const changeLocal = (id: string, change: Partial<LocalSource>): void =>
    store.setState(({ local }) => ({
      local: local.map((one) => (one.id === id ? { ...one, ...change } : one)),
    }));
  const changeRemote = (key: string, change: Partial<RemoteSource>): void =>
    store.setState(({ remote }) => ({
      remote: remote.map((one) => (one.key === key ? { ...one, ...change } : one)),
    }));
  const verbs = {
    store,
    on: (type: string, listener: Listener) => {
      listeners.set(type, (listeners.get(type) ?? new Set()).add(listener));
      return () => listeners.get(type)?.delete(listener);
    },
    share: ({ kind, track, preset, screen }: NewSource) => {
      const id = `source-${++count}`;
      const source: LocalSource = {
        ...{ id, kind, track, label: track.label, width: 1280, height: 720 },
        ...{ muted: false, lost: false, isSteppedDown: false, watchers: [] },
        ...{ preset: preset ?? (kind === "camera" ? "standard" : null), screen: screen ?? null },
      };
      store.setState(({ local }) => ({ local: [...local, source] }));
      return id;
    },
    stop: (id: string) => {
      for (const one of store.getState().local) if (one.id === id || one.screen === id) one.track.stop();
      store.setState(({ local }) => ({ local: local.filter((one) => one.id !== id && one.screen !== id) }));
    },
    leave: () => {
      for (const { track } of store.getState().local) track.stop();
      store.setState({ local: [], audience: null, isAudioEnabled: false, isVideoEnabled: false });
    },
    setMuted: (id: string, muted: boolean) => changeLocal(id, { muted }),
    setPreset: (id: string, preset: Preset) => changeLocal(id, { preset }),
    replaceTrack: (id: string, track: MediaStreamTrack) =>
      changeLocal(id, { track, label: track.label, lost: false }),
    setAudience: (audience: CallState["audience"]) => store.setState({ audience }),
    setAudioEnabled: (isAudioEnabled: boolean) => store.setState({ isAudioEnabled }),
    setVideoEnabled: (isVideoEnabled: boolean) => store.setState({ isVideoEnabled }),
    setPaused: (key: string, paused: boolean) => changeRemote(key, { paused }),
    setVolume: (key: string, volume: number) => changeRemote(key, { volume }),
    show: (
      key: string,
      _viewer: object,
      size: { readonly width: number; readonly height: number } | null,
    ) => {
      if (size === null) shown.delete(key);
      else shown.set(key, size);
    },
  };
  return {
    // `Call` is a class with private members, which a fake cannot have.
    call: verbs as unknown as Call,
    set: (change) => store.setState(change),
    emit: (type, ...args) => {
      for (const listener of listeners.get(type) ?? []) listener(...args);
    },
    shown,
  };
}

/** A source shared by someone else, with test values. */
export function remoteSource(
  change: Partial<RemoteSource> & Pick<RemoteSource, "from" | "kind">,
): RemoteSource {
  const id = change.id ?? `${change.kind}-of-${change.from.slice(0, 4)}`;
  return {
    ...{ id, key: `${change.from}/${id}`, label: "", track: null, width: 1280, height: 720 },
    ...{ muted: false, screen: null, paused: false, volume: 1, reception: "good" },
    ...change,
  };
}
