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
  /** My own screen, for its menu; the controls stop the other sources. */
  readonly own: SourceId | null;
}

/**
 * The items on the stage: screens first, then people in the order they started, and me last.
 * @param partner the other one of a call of two, who is there from the moment they are called
 */
export function stageItems(
  { local, remote, speaking }: CallState,
  partner: ClientId | null = null,
): readonly StageItem[] {
  const screens = remote
    .filter(({ kind }) => kind === "screen")
    .map((screen) => remoteScreen(screen, remote));
  const ownScreens = local.filter(({ kind }) => kind === "screen").map(ownScreen);
  const others = [
    ...new Set([...remote.map(({ from }) => from), ...(partner === null ? [] : [partner])]),
  ].flatMap((from): StageItem[] => {
    const of = (kind: RemoteSource["kind"]) => remote.find((one) => one.from === from && one.kind === kind);
    const [camera, voice] = [of("camera"), of("microphone")];
    if (camera === undefined && voice === undefined && from !== partner) return [];
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
      own: null,
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

/** A person who fills the stage, with my own pictures small in a corner. */
export interface Pair {
  readonly large: StageItem;
  readonly mine: readonly StageItem[];
}

const minePictures = 2;

/** What a stage with one other person shows, or with me alone; null if there are more people, or a screen of theirs. */
export function pairOf(items: readonly StageItem[]): Pair | null {
  const [first] = items;
  if (items.length === 1 && first?.kind === "person") return { large: first, mine: [] };
  const others = items.filter(({ person }) => person !== null);
  const [other] = others;
  const mine = items.filter(({ person, picture }) => person === null && picture !== null);
  const isPair = others.length === 1 && other?.kind === "person" && mine.length <= minePictures;
  return isPair ? { large: other, mine } : null;
}

/**
 * The least part of a face's picture that is shown: a tile of a more different shape becomes narrower or lower. At the sides there is
 * less to miss.
 */
const shownHeight = 0.5625;
const shownWidth = 0.42;

/** The widest and the highest shape, as width by height, in which enough of a picture is shown. */
export function shapesOf({ width, height }: Pick<StagePicture, "width" | "height">): {
  readonly widest: number;
  readonly highest: number;
} | null {
  if (width === 0 || height === 0) return null;
  return { widest: width / height / shownHeight, highest: (width / height) * shownWidth };
}

/** The edges of one's own picture of a shape, as width by height, in a corner of the stage. Sizes in CSS pixels. */
export function cornerSizeOf(
  { width, height }: Pick<StagePicture, "width" | "height">,
  stage: { readonly width: number; readonly height: number },
): { readonly width: number; readonly height: number } {
  const shape = width === 0 || height === 0 ? 16 / 9 : Math.min(16 / 9, Math.max(3 / 4, width / height));
  const longest = Math.min(248, Math.max(120, Math.min(stage.width, stage.height) * 0.36));
  const edge = longest / Math.max(shape, 1);
  return { width: Math.round(edge * shape), height: Math.round(edge) };
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

/** As width by height, the widest and the narrowest tile of a grid, on a wide stage and on a high one. */
const widest = 16 / 9;
const narrowest = { wide: 4 / 3, high: 3 / 4 };

/** The columns, and the tiles, in which the largest faces fit. Sizes in CSS pixels. */
export function gridOf(
  count: number,
  width: number,
  height: number,
  gap: number,
): { readonly columns: number; readonly tileWidth: number; readonly tileHeight: number } {
  const least = narrowest[width < height ? "high" : "wide"];
  let best = { columns: 1, tileWidth: 0, tileHeight: 0 };
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const [x, y] = [(width - gap * (columns - 1)) / columns, (height - gap * (rows - 1)) / rows];
    const tileWidth = Math.max(0, Math.floor(Math.min(x, y * widest)));
    const tileHeight = Math.max(0, Math.floor(Math.min(y, x / least)));
    if (Math.min(tileWidth, tileHeight) > Math.min(best.tileWidth, best.tileHeight))
      best = { columns, tileWidth, tileHeight };
  }
  return best;
}
