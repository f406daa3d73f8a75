import type { Call } from "@warren/core";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { Slider } from "../../ui/fields/slider.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { MoreIcon } from "../../ui/icons.ts";
import { Popover } from "../../ui/overlays/popover.tsx";
import { isShown, type StageItem } from "./stage-items.ts";
import { useTileWords } from "./use-tile-words.ts";

interface TileOptionsProps {
  readonly call: Call;
  readonly item: StageItem;
  /** Small in the corner of a tile. */
  readonly size: "sm" | "md";
  readonly isOverPicture?: boolean;
  /** How much of a picture is shown that fills the page. */
  readonly crop?: { readonly isWhole: boolean; readonly setWhole: (isWhole: boolean) => void };
}

/** The actions for one tile: its volume, pausing it for me, and stopping my own screen. */
export function TileOptions({ call, item, size, isOverPicture = true, crop }: TileOptionsProps) {
  const t = useT();
  const format = useFormat();
  const { name } = useTileWords(item);
  const { picture, sound, own } = item;
  const soundKey = sound?.key ?? null;
  const pictureKey = picture?.key ?? null;
  if (soundKey === null && pictureKey === null && own === null) return null;
  const volume = sound?.volume ?? 1;
  const label = t("call.optionsOf", { what: name });
  return (
    <Popover
      label={label}
      isSheet
      trigger={
        <IconButton
          icon={MoreIcon}
          size={size === "sm" ? "on-picture" : "md"}
          tone={isOverPicture ? "on-picture" : "plain"}
          label={label}
          iconSize={size === "sm" ? 16 : 18}
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
          {crop !== undefined && picture !== null && isShown(picture) && (
            <Button
              size="sm"
              onClick={() => {
                crop.setWhole(!crop.isWhole);
                close();
              }}
            >
              {t(crop.isWhole ? "call.filled" : "call.whole")}
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
  );
}
