import type { Call } from "@warren/core";
import { chipOnPicture } from "../devices/stream-video.tsx";
import { useT } from "../i18n/use-t.ts";
import { ClientAvatar } from "../people/client-avatar.tsx";
import { usePerson } from "../people/use-person.ts";
import { cx } from "../ui/cx.ts";
import { MicrophoneOffIcon, ScreenIcon } from "../ui/icons.ts";
import { useProfile } from "../ui/warren-context.tsx";
import { SourceVideo } from "./source-video.tsx";
import { isShown, type StageItem } from "./stage-items.ts";
import { TileMenu } from "./tile-menu.tsx";
import { useTileWords } from "./use-tile-words.ts";

interface TileProps {
  readonly call: Call;
  readonly item: StageItem;
  readonly onFocus: () => void;
}

/** A screen or a person in the grid or the strip. A click enlarges it. */
export function Tile({ call, item, onFocus }: TileProps) {
  const t = useT();
  const words = useTileWords(item);
  const isFace = item.kind === "person";
  return (
    <div
      className={cx(
        "group relative size-full overflow-hidden rounded-card bg-tile",
        item.isSpeaking && "outline-2 outline-stage-speaking outline-offset-2",
      )}
    >
      <TilePicture call={call} item={item} fit={isFace ? "cover" : "contain"} />
      <button
        type="button"
        aria-label={t("call.enlarge", { what: words.name })}
        onClick={onFocus}
        className="absolute inset-0 rounded-card focus-visible:-outline-offset-2"
      />
      <TileChip item={item} />
      <TileMenu call={call} item={item} />
    </div>
  );
}

/** The picture of a tile, or its placeholder. */
export function TilePicture({
  call,
  item,
  fit,
  ownWindow,
}: Pick<TileProps, "call" | "item"> & {
  readonly fit: "cover" | "contain";
  /** The window it is in, if not the page's. */
  readonly ownWindow?: Window;
}) {
  const words = useTileWords(item);
  const { picture } = item;
  return (
    <>
      {picture !== null && isShown(picture) ? (
        <SourceVideo
          call={call}
          track={picture.track}
          sourceKey={picture.key}
          width={picture.width}
          height={picture.height}
          label={words.name}
          fit={fit}
          {...(ownWindow && { ownWindow })}
          isMirrored={picture.kind === "camera" && picture.key === null}
        />
      ) : (
        <div className="flex size-full items-center justify-center">
          <Placeholder item={item} />
        </div>
      )}
      {words.state !== null && (
        <p
          role="status"
          className="pointer-events-none absolute inset-x-2 top-2 mx-auto w-fit max-w-full truncate rounded-tag bg-[rgb(10_16_13/0.8)] px-2 py-1 text-meta text-white"
        >
          {words.state}
        </p>
      )}
    </>
  );
}

function Placeholder({ item }: { readonly item: StageItem }) {
  const profile = useProfile();
  if (item.kind === "screen") return <ScreenIcon size={28} className="stroke-[1.5] text-text-2" />;
  return item.person === null ? (
    <ClientAvatar clientId={profile.clientId} name={profile.name} avatar={profile.avatar} size={64} />
  ) : (
    <PersonPlaceholder id={item.person} />
  );
}

function PersonPlaceholder({ id }: { readonly id: string }) {
  const { name, avatar } = usePerson(id);
  return <ClientAvatar clientId={id} name={name} avatar={avatar} size={64} />;
}

/** The name and state of a tile, at its bottom. */
export function TileChip({ item }: { readonly item: StageItem }) {
  const t = useT();
  const { name, detail } = useTileWords(item);
  const isMuted = item.kind === "person" && (item.sound === null || item.sound.muted);
  return (
    <p className={cx(chipOnPicture, "pointer-events-none left-2 flex items-center gap-1.5")}>
      {isMuted && (
        <span role="img" aria-label={t("call.isMuted")} className="text-[#f58c82]">
          <MicrophoneOffIcon size={14} />
        </span>
      )}
      {item.kind === "screen" && <ScreenIcon size={14} />}
      <bdi className="min-w-0 truncate">{name}</bdi>
      {detail !== null && <bdi className="min-w-0 truncate opacity-80 max-md:hidden">{detail}</bdi>}
    </p>
  );
}
