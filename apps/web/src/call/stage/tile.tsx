import type { Call } from "@warren/core";
import type { CSSProperties, KeyboardEvent, ReactNode } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { AvatarById, PersonAvatar } from "../../people/person-avatar.tsx";
import { BriefRouteLine } from "../../people/route-line.tsx";
import { firstNameOf } from "../../people/shown-name.ts";
import { useFirstNameOf, useName, usePerson } from "../../people/use-person.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { Slider } from "../../ui/fields/slider.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { MicrophoneOffIcon, MoreIcon, ScreenIcon } from "../../ui/icons.ts";
import { Popover } from "../../ui/overlays/popover.tsx";
import { useProfile } from "../../wiring/warren-context.ts";
import { SourceVideo } from "./source-video.tsx";
import { isShown, type StageItem, shapesOf } from "./stage-items.ts";

interface TileProps {
  readonly call: Call;
  readonly item: StageItem;
  /** Enlarges it; without that, it is large already. */
  readonly onFocus?: (() => void) | undefined;
  /** Whether it says whose it is; a title may say that already. */
  readonly isNamed?: boolean;
  /** What happens, below who it is about while they have no picture. */
  readonly note?: string | null | undefined;
  /** Moves it, where it can be moved. */
  readonly onKeyDown?: ((event: KeyboardEvent) => void) | undefined;
}

/** A screen or a person in the grid, in the strip or in a corner. */
export function Tile({ call, item, onFocus, isNamed = true, note = null, onKeyDown }: TileProps) {
  const t = useT();
  const words = useTileWords(item);
  const isFace = item.kind === "person";
  const isLarge = onFocus === undefined;
  return (
    <div className="flex size-full items-center justify-center [container-type:size]">
      <div
        style={isFace ? shapeOf(item) : undefined}
        className={cx(
          "group @container relative size-full overflow-hidden rounded-card bg-tile",
          item.isSpeaking && !isLarge && "outline-2 outline-stage-speaking outline-offset-2",
        )}
      >
        <TilePicture
          call={call}
          item={item}
          fit={isFace ? "cover" : "contain"}
          note={note}
          ringsAvatar={item.isSpeaking && isLarge}
        />
        {!isLarge && (
          <button
            type="button"
            aria-label={t("call.enlarge", { what: words.name })}
            aria-description={onKeyDown && t("call.moveHow")}
            onClick={onFocus}
            onKeyDown={onKeyDown}
            className="absolute inset-0 rounded-card focus-visible:-outline-offset-2"
          />
        )}
        {note === null && <TileChip item={item} isNamed={isNamed} withRoute />}
        <TileMenu call={call} item={item} />
      </div>
    </div>
  );
}

/** How large a box with a face's picture may be, in a container whose size it would fill otherwise. */
function shapeOf({ picture }: StageItem): CSSProperties | undefined {
  const shapes = picture !== null && isShown(picture) ? shapesOf(picture) : null;
  return shapes === null
    ? undefined
    : { maxWidth: `${shapes.widest * 100}cqh`, maxHeight: `${100 / shapes.highest}cqw` };
}

/** The picture of a tile, or its placeholder. */
export function TilePicture({
  call,
  item,
  fit,
  note = null,
  ringsAvatar = false,
  pipWindow,
}: Pick<TileProps, "call" | "item" | "note"> & {
  /** Marks who speaks without a frame around all of a large tile. */
  readonly ringsAvatar?: boolean;
  readonly fit: "cover" | "contain";
  /** The window it is in, if not the page's. */
  readonly pipWindow?: Window;
}) {
  const words = useTileWords(item);
  const { picture } = item;
  const placeholder = (
    <div className="pointer-events-none absolute inset-0 flex flex-col items-center justify-center bg-tile [container-type:size]">
      {/* In a low tile, clear of the name at its foot. */}
      <span
        className={cx(
          ringsAvatar && "rounded-full outline-2 outline-stage-speaking outline-offset-2",
          "[@container(height<9rem)]:-translate-y-3 [@container(height<9rem)]:scale-75 [@container(height>=20rem)]:scale-150 [@container(height>=30rem)]:scale-200",
        )}
      >
        <TilePlaceholder item={item} size={64} />
      </span>
      {note !== null && (
        <p
          role="status"
          className="absolute inset-x-4 top-1/2 mt-10 truncate text-center text-body text-text-2 [@container(height>=20rem)]:mt-16 [@container(height>=30rem)]:mt-21"
        >
          {note}
        </p>
      )}
    </div>
  );
  return (
    <>
      {picture !== null && isShown(picture) ? (
        <div className="absolute inset-0 flex items-center justify-center [container-type:size]">
          <div className="size-full" style={fit === "cover" ? shapeOf(item) : undefined}>
            <SourceVideo
              call={call}
              track={picture.track}
              sourceKey={picture.key}
              width={picture.width}
              height={picture.height}
              label={words.name}
              fit={fit}
              {...(pipWindow && { pipWindow })}
              isMirrored={picture.kind === "camera" && picture.key === null}
              placeholder={placeholder}
            />
          </div>
        </div>
      ) : (
        placeholder
      )}
      {words.state !== null && (
        <p
          role="status"
          className="pointer-events-none absolute inset-x-2 top-2 mx-auto w-fit max-w-full truncate rounded-tag bg-over-picture px-2 py-1 text-meta text-white"
        >
          {words.state}
        </p>
      )}
    </>
  );
}

/** In place of a picture: who it is, or that it is a screen. */
export function TilePlaceholder({ item, size }: { readonly item: StageItem; readonly size: 36 | 64 }) {
  const profile = useProfile();
  if (item.kind === "screen") return <ScreenIcon size={28} className="stroke-[1.5] text-text-2" />;
  return item.person === null ? (
    <PersonAvatar clientId={profile.clientId} name={profile.name} avatar={profile.avatar} size={size} />
  ) : (
    <AvatarById id={item.person} size={size} />
  );
}

/** The name and state of a tile, at its bottom. */
export function TileChip({
  item,
  isNamed = true,
  withDetail = true,
  withRoute = false,
  className = "bottom-2 left-2 max-w-[min(280px,calc(100%-16px))]",
  children,
}: {
  readonly item: StageItem;
  /** Whether it says more than that the person is muted. */
  readonly isNamed?: boolean;
  /** Whether it also names the screen, or who is watching. */
  readonly withDetail?: boolean;
  /** Whether it also says which way the person's packets take, if the tile is wide enough. */
  readonly withRoute?: boolean;
  /** Where it is. */
  readonly className?: string;
  /** At its end. */
  readonly children?: ReactNode;
}) {
  const t = useT();
  const { name, detail } = useTileWords(item);
  const isMuted = item.kind === "person" && (item.sound === null || item.sound.muted);
  if (!isNamed && !isMuted) return null;
  return (
    <p
      className={cx(
        "pointer-events-none absolute flex items-center gap-1.5 truncate rounded-tag bg-over-picture px-2 py-1 text-meta text-white",
        className,
      )}
    >
      {isMuted && (
        <span role="img" aria-label={t("call.isMuted")} className="text-[#f58c82]">
          <MicrophoneOffIcon size={14} />
        </span>
      )}
      {isNamed && (
        <>
          {item.kind === "screen" && <ScreenIcon size={14} />}
          <bdi className="min-w-0 truncate">{name}</bdi>
          {withDetail && detail !== null && (
            <bdi className="min-w-0 truncate opacity-80 max-md:hidden">{detail}</bdi>
          )}
          {withRoute && item.kind === "person" && item.person !== null && <TileRoute id={item.person} />}
        </>
      )}
      {children}
    </p>
  );
}

function TileRoute({ id }: { readonly id: string }) {
  return (
    <span className="hidden @min-[17rem]:contents">
      <BriefRouteLine person={usePerson(id)} className="opacity-80" />
    </span>
  );
}

/** The actions for one tile: its volume, pausing it for me, and stopping my own screen. */
export function TileMenu({ call, item }: Pick<TileProps, "call" | "item">) {
  const t = useT();
  const format = useFormat();
  const { name } = useTileWords(item);
  const { picture, sound, own } = item;
  const soundKey = sound?.key ?? null;
  const pictureKey = picture?.key ?? null;
  if (soundKey === null && pictureKey === null && own === null) return null;
  const volume = sound?.volume ?? 1;
  return (
    <div className="absolute top-2 right-2 opacity-0 transition-opacity focus-within:opacity-100 has-[[data-state=open]]:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
      <Popover
        label={t("call.optionsOf", { what: name })}
        isSheet
        className="w-64 p-3"
        trigger={
          <IconButton
            icon={MoreIcon}
            size="sm"
            label={t("call.optionsOf", { what: name })}
            iconSize={16}
            className="hit rounded-full bg-over-picture text-white touch:size-7!"
          />
        }
      >
        {(close) => (
          <div className="flex flex-col gap-3 sheet:px-2">
            <p className="hidden truncate font-medium sheet:block">{name}</p>
            {soundKey !== null && (
              <div className="flex flex-col gap-2">
                <p id={`volume-${item.id}`} className="text-compact font-medium">
                  {t("call.volume")}
                </p>
                <Slider
                  aria-labelledby={`volume-${item.id}`}
                  min={0}
                  max={100}
                  step={5}
                  value={Math.round(volume * 100)}
                  text={format.percent(volume)}
                  onChange={(value) => call.setVolume(soundKey, value / 100)}
                  className="flex"
                />
                <Button size="sm" onClick={() => call.setVolume(soundKey, volume === 0 ? 1 : 0)}>
                  {t(volume === 0 ? "call.unsilence" : "call.silenceHere")}
                </Button>
              </div>
            )}
            {pictureKey !== null && picture !== null && (
              <Button
                size="sm"
                onClick={() => {
                  call.setPaused(pictureKey, !picture.paused);
                  close();
                }}
              >
                {t(picture.paused ? "call.resume" : "call.pause")}
              </Button>
            )}
            {own !== null && (
              <Button size="sm" onClick={() => call.stop(own)}>
                {t("call.stopScreen")}
              </Button>
            )}
          </div>
        )}
      </Popover>
    </div>
  );
}

/** The texts of a tile: its owner, its details, and a sentence for an unusual state. */
export function useTileWords({ person, kind, picture }: StageItem): {
  readonly name: string;
  readonly detail: string | null;
  readonly state: string | null;
} {
  const t = useT();
  const format = useFormat();
  const nameOf = useFirstNameOf();
  const fullName = useName(person ?? "");
  const first = person === null ? null : firstNameOf(fullName);
  const name =
    kind === "screen"
      ? first === null
        ? t("call.yourScreen")
        : t("call.screenOf", { name: first })
      : person === null
        ? t("call.you")
        : fullName;
  const label = kind === "screen" && picture !== null && isMeaningful(picture.label) ? picture.label : null;
  const watchers = picture?.watchers ?? [];
  const watched =
    watchers.length > 0
      ? t("call.watching", { count: watchers.length, names: format.list(watchers.map(nameOf)) })
      : null;
  return { name, detail: watched ?? label, state: picture === null ? null : stateOf() };

  function stateOf(): string | null {
    if (picture === null) return null;
    if (picture.key === null) return picture.muted ? t("call.state.lost") : null;
    const whose = first ?? "";
    if (picture.paused) return t("call.state.paused");
    if (picture.track === null) return t("call.state.away", { name: whose });
    if (picture.muted) return t("call.state.off", { name: whose });
    if (picture.reception === "frozen") return t("call.state.frozen", { name: whose });
    return picture.reception === "weak" ? t("call.state.weak", { name: whose }) : null;
  }
}

const idLength = 24;

/** Titles, unlike the ids of browsers ("screen:0:0", "web-contents-media-stream://…"), are words. */
function isMeaningful(label: string): boolean {
  return label.trim() !== "" && !/^[\w-]+:\S/.test(label) && (label.length < idLength || /\s/.test(label));
}
