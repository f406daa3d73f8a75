import type { Call } from "@warren/core";
import type { CSSProperties, KeyboardEvent, ReactNode } from "react";
import { useT } from "../../i18n/use-t.ts";
import { AvatarById, PersonAvatar } from "../../people/person-avatar.tsx";
import { BriefRouteLine } from "../../people/route-line.tsx";
import { usePerson } from "../../people/use-person.ts";
import { cx } from "../../ui/cx.ts";
import { MicrophoneOffIcon, ScreenIcon } from "../../ui/icons.ts";
import { useProfile } from "../../wiring/warren-context.ts";
import { SourceVideo } from "./source-video.tsx";
import { isShown, type StageItem, shapesOf } from "./stage-items.ts";
import { TileOptions } from "./tile-options.tsx";
import { useTileWords } from "./use-tile-words.ts";

/** How a picture lies in a box: complete, filling it, or filling it as far as enough of the picture is shown. */
type Fit = "contain" | "cover" | "balanced";

interface TileProps {
  readonly call: Call;
  readonly item: StageItem;
  /** Of a face; a screen is always complete. */
  readonly fit?: Fit;
  /** Enlarges it; without that, it fills the stage already. */
  readonly onFocus?: (() => void) | undefined;
  /** Whether it says whose it is; a title may say that already. */
  readonly isNamed?: boolean;
  /** What happens, below who it is about while they have no picture. */
  readonly note?: string | null | undefined;
  /** Moves it, where it can be moved. */
  readonly onKeyDown?: ((event: KeyboardEvent) => void) | undefined;
}

/** A screen or a person in the grid, in the strip, in a corner, or filling the stage. */
export function Tile(props: TileProps) {
  const { call, item, fit = "balanced", onFocus, isNamed = true, note = null, onKeyDown } = props;
  const t = useT();
  const words = useTileWords(item);
  const isFace = item.kind === "person";
  const isLarge = onFocus === undefined;
  return (
    <div className="flex size-full items-center justify-center [container-type:size]">
      <div
        style={isFace && fit === "balanced" ? shapeOf(item) : undefined}
        className={cx(
          "group @container relative size-full overflow-hidden bg-tile",
          // What lies over the stage leaves the edges of a small tile free.
          !isLarge && "rounded-card [--stage-bottom:0px] [--stage-top:0px]",
          item.isSpeaking && !isLarge && "outline-2 outline-stage-speaking outline-offset-2",
        )}
      >
        <TilePicture
          call={call}
          item={item}
          fit={isFace ? fit : "contain"}
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
        {!isLarge && <TileMenu call={call} item={item} />}
      </div>
    </div>
  );
}

/** The actions for a tile in its corner, shown to a mouse that is over it. */
export function TileMenu({ call, item }: Pick<TileProps, "call" | "item">) {
  return (
    <div className="absolute top-2 right-2 opacity-0 transition-opacity focus-within:opacity-100 has-[[data-state=open]]:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
      <TileOptions call={call} item={item} size="sm" />
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
  readonly fit: Fit;
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
          <div className="size-full" style={fit === "balanced" ? shapeOf(item) : undefined}>
            <SourceVideo
              call={call}
              track={picture.track}
              sourceKey={picture.key}
              width={picture.width}
              height={picture.height}
              label={words.name}
              fit={fit === "contain" ? "contain" : "cover"}
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
          className="pointer-events-none absolute inset-x-2 top-[calc(var(--stage-top,0px)+8px)] mx-auto w-fit max-w-full truncate rounded-tag bg-over-picture px-2 py-1 text-meta text-white"
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
    <PersonAvatar id={profile.clientId} name={profile.name} avatar={profile.avatar} size={size} />
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
  className = "bottom-[calc(var(--stage-bottom,0px)+8px)] left-2 max-w-[min(280px,calc(100%-16px))]",
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
