import type { CallState, LocalSource, Reception, RemoteSource, SourceKey } from "@warren/core";
import type { ClientId, SourceId } from "@warren/protocol";

/** A picture on the stage. */
export interface StagePicture {
  readonly kind: "camera" | "screen";
  readonly label: string;
  readonly track: MediaStreamTrack | null;
  readonly width: number;
  readonly height: number;
  /** The key of a remote source; null for mine. */
  readonly key: SourceKey | null;
  /** Its owner turned it off for now. */
  readonly muted: boolean;
  /** Paused here by me. */
  readonly paused: boolean;
  readonly reception: Reception;
  /** The watchers of my source. */
  readonly watchers: readonly ClientId[];
}

/** Whether a picture is visible: it has arrived, and neither side turned it off. */
export function isShown(
  picture: StagePicture,
): picture is StagePicture & { readonly track: MediaStreamTrack } {
  return picture.track !== null && !picture.muted && !picture.paused;
}

/** One tile: a screen, or a person with or without a camera. */
export interface StageItem {
  /** Constant while the tile is on the stage. */
  readonly id: string;
  /** Null: me. */
  readonly person: ClientId | null;
  readonly kind: "screen" | "person";
  readonly picture: StagePicture | null;
  /** The sound that belongs to it, if any. */
  readonly sound: { readonly key: SourceKey | null; readonly muted: boolean; readonly volume: number } | null;
  readonly isSpeaking: boolean;
  /** My own source, for its menu. */
  readonly own: SourceId | null;
}

/** The items on the stage: screens first, then people in the order they started, and me last. */
export function stageItems({ local, remote, speaking }: CallState): readonly StageItem[] {
  const screens = remote
    .filter(({ kind }) => kind === "screen")
    .map((screen) => remoteScreen(screen, remote));
  const ownScreens = local.filter(({ kind }) => kind === "screen").map(ownScreen);
  const others = [...new Set(remote.map(({ from }) => from))].flatMap((from): StageItem[] => {
    const of = (kind: RemoteSource["kind"]) => remote.find((one) => one.from === from && one.kind === kind);
    const [camera, voice] = [of("camera"), of("microphone")];
    if (camera === undefined && voice === undefined) return [];
    return [
      {
        id: from,
        person: from,
        kind: "person",
        picture: camera ? remotePicture(camera, "camera") : null,
        sound: voice ? { key: voice.key, muted: voice.muted, volume: voice.volume } : null,
        isSpeaking: voice !== undefined && speaking.includes(voice.key),
        own: null,
      },
    ];
  });
  return [...screens, ...ownScreens, ...others, ...myself(local)];
}

function remoteScreen(screen: RemoteSource, remote: readonly RemoteSource[]): StageItem {
  const sound = remote.find((one) => one.kind === "screen-sound" && one.screen === screen.key);
  return {
    id: screen.key,
    person: screen.from,
    kind: "screen",
    picture: remotePicture(screen, "screen"),
    sound: sound ? { key: sound.key, muted: sound.muted, volume: sound.volume } : null,
    isSpeaking: false,
    own: null,
  };
}

function ownScreen(screen: LocalSource): StageItem {
  const picture = ownPicture(screen, "screen");
  return {
    id: screen.id,
    person: null,
    kind: "screen",
    picture,
    sound: null,
    isSpeaking: false,
    own: screen.id,
  };
}

function myself(local: readonly LocalSource[]): StageItem[] {
  const camera = local.find(({ kind }) => kind === "camera");
  const voice = local.find(({ kind }) => kind === "microphone");
  if (local.length === 0) return [];
  return [
    {
      id: "me",
      person: null,
      kind: "person",
      picture: camera ? ownPicture(camera, "camera") : null,
      sound: { key: null, muted: voice === undefined || voice.muted || voice.lost, volume: 1 },
      isSpeaking: false,
      own: camera?.id ?? null,
    },
  ];
}

function remotePicture(source: RemoteSource, kind: StagePicture["kind"]): StagePicture {
  const { key, label, track, width, height, muted, paused, reception } = source;
  return { kind, key, label, track, width, height, muted, paused, reception, watchers: [] };
}

function ownPicture(source: LocalSource, kind: StagePicture["kind"]): StagePicture {
  const { label, track, width, height, muted, lost, watchers } = source;
  return {
    ...{ kind, label, track, width, height, watchers },
    key: null,
    muted: muted || lost,
    paused: false,
    reception: "good",
  };
}

/** The focused item: the chosen one, otherwise the newest screen of someone else. */
export function focusedItem(items: readonly StageItem[], chosen: string | "grid" | null): StageItem | null {
  if (chosen === "grid") return null;
  const found = items.find(({ id }) => id === chosen);
  return found ?? items.findLast(({ kind, person }) => kind === "screen" && person !== null) ?? null;
}

/**
 * The one item that a small tile shows: the newest screen of someone else, or who spoke last, or another one with a
 * picture.
 */
export function tileItem(items: readonly StageItem[], speaker: string | null): StageItem | null {
  const people = items.filter(({ kind, person }) => kind === "person" && person !== null);
  return (
    focusedItem(items, null) ??
    people.find(({ id }) => id === speaker) ??
    people.find(({ picture }) => picture !== null) ??
    people[0] ??
    items.at(-1) ??
    null
  );
}

/** The number of columns that makes 16:9 tiles largest. Sizes in CSS pixels. */
export function gridOf(
  count: number,
  width: number,
  height: number,
  gap: number,
): { readonly columns: number; readonly tileWidth: number } {
  let best = { columns: 1, tileWidth: 0 };
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const byWidth = (width - gap * (columns - 1)) / columns;
    const byHeight = (((height - gap * (rows - 1)) / rows) * 16) / 9;
    const tileWidth = Math.max(0, Math.floor(Math.min(byWidth, byHeight)));
    if (tileWidth > best.tileWidth) best = { columns, tileWidth };
  }
  return best;
}
