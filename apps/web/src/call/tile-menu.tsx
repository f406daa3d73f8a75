import type { Call } from "@warren/core";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { MoreIcon } from "../ui/icons.ts";
import { Popover } from "../ui/overlays.tsx";
import { Slider } from "../ui/slider.tsx";
import type { StageItem } from "./stage-items.ts";
import { useTileWords } from "./use-tile-words.ts";

interface TileMenuProps {
  readonly call: Call;
  readonly item: StageItem;
}

/** The actions for one tile: its volume, pausing it for me, and stopping my own. */
export function TileMenu({ call, item }: TileMenuProps) {
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
