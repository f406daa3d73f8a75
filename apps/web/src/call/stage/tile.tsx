import type { Call } from "@warren/core";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { ClientAvatar } from "../../people/client-avatar.tsx";
import { RouteLine } from "../../people/route-line.tsx";
import { firstNameOf } from "../../people/shown-name.ts";
import { useName, usePerson } from "../../people/use-person.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { Slider } from "../../ui/fields/slider.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { MicrophoneOffIcon, MoreIcon, ScreenIcon } from "../../ui/icons.ts";
import { Popover } from "../../ui/overlays/popover.tsx";
import { useProfile } from "../../wiring/warren-context.tsx";
import { useFirstNameOf } from "../use-first-name-of.ts";
import { SourceVideo } from "./source-video.tsx";
import { isShown, type StageItem } from "./stage-items.ts";

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
        "group @container relative size-full overflow-hidden rounded-card bg-tile",
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
      <TileChip item={item} withRoute />
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
  const placeholder = (
    <div className="pointer-events-none absolute inset-0 flex items-center justify-center bg-tile">
      <Placeholder item={item} />
    </div>
  );
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
          placeholder={placeholder}
        />
      ) : (
        placeholder
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
export function TileChip({
  item,
  withDetail = true,
  withRoute = false,
}: {
  readonly item: StageItem;
  /** Whether it also names the screen, or who is watching. */
  readonly withDetail?: boolean;
  /** Whether it also says which way the person's packets take, if the tile is wide enough. */
  readonly withRoute?: boolean;
}) {
  const t = useT();
  const { name, detail } = useTileWords(item);
  const isMuted = item.kind === "person" && (item.sound === null || item.sound.muted);
  return (
    <p className="pointer-events-none absolute bottom-2 left-2 flex max-w-[calc(100%-16px)] items-center gap-1.5 truncate rounded-tag bg-[rgb(10_16_13/0.66)] px-2 py-1 text-meta text-white">
      {isMuted && (
        <span role="img" aria-label={t("call.isMuted")} className="text-[#f58c82]">
          <MicrophoneOffIcon size={14} />
        </span>
      )}
      {item.kind === "screen" && <ScreenIcon size={14} />}
      <bdi className="min-w-0 truncate">{name}</bdi>
      {withDetail && detail !== null && (
        <bdi className="min-w-0 truncate opacity-80 max-md:hidden">{detail}</bdi>
      )}
      {withRoute && item.kind === "person" && item.person !== null && <TileRoute id={item.person} />}
    </p>
  );
}

function TileRoute({ id }: { readonly id: string }) {
  return (
    <span className="hidden min-w-0 @min-[17rem]:block">
      <RouteLine person={usePerson(id)} className="opacity-80" />
    </span>
  );
}

/** The actions for one tile: its volume, pausing it for me, and stopping my own. */
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
        className="w-64 p-3"
        trigger={
          <IconButton
            icon={MoreIcon}
            size="sm"
            label={t("call.optionsOf", { what: name })}
            className="bg-stage-bar text-white"
          />
        }
      >
        {(close) => (
          <div className="flex flex-col gap-3">
            {soundKey !== null && (
              <div>
                <p id={`volume-${item.id}`} className="mb-1 text-compact font-medium">
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
                {t(item.kind === "screen" ? "call.stopScreen" : "call.stopCamera")}
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

/** Chromium labels screens with internal ids, such as "screen:0:0" or "web-contents-media-stream://…". */
function isMeaningful(label: string): boolean {
  return (
    label !== "" &&
    !/^(?:screen|window|web-contents-media-stream):/.test(label) &&
    !/^[0-9a-f-]{36}$/i.test(label)
  );
}
