import { pictureLengthMax } from "@warren/core";
import { toWarrenError, WarrenError } from "@warren/protocol";
import { useId, useState } from "react";
import { errorText } from "../i18n/i18n.ts";
import { useT } from "../i18n/use-t.ts";
import { drawnFrom } from "../pictures/avatar-image.ts";
import { readableCanvas } from "../pictures/readable-canvas.ts";
import { Button } from "../ui/button.tsx";
import { ImageIcon } from "../ui/icons.ts";
import { useDevice } from "../wiring/device-context.tsx";
import { SettingRow } from "./setting-row.tsx";
import { useSetting } from "./use-setting.ts";

/** Chooses the background picture from a file, or removes it. */
export function BackgroundRow() {
  const t = useT();
  const { pickFiles } = useDevice();
  const { value, set, reset } = useSetting("backgroundImage");
  const [isLoading, setLoading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const choose = async (): Promise<void> => {
    const [chosen] = await pickFiles({ accept: "image/*" });
    if (!chosen) return;
    setLoading(true);
    setProblem(null);
    try {
      set(await backgroundPictureFrom(chosen));
    } catch (thrown) {
      const error = toWarrenError(thrown, "image-load-failed");
      setProblem(
        error.code === "file-too-large"
          ? t("settingsAppearance.pictureTooLarge")
          : errorText(error.describe()),
      );
    } finally {
      setLoading(false);
    }
  };

  return (
    <SettingRow
      id={useId()}
      label={t("settings.option.backgroundImage.label")}
      help={t("settings.option.backgroundImage.help")}
      error={problem}
      control={
        <span className="flex shrink-0 flex-wrap items-center gap-2">
          {value !== null && (
            <img src={value} alt="" className="h-9 w-14 rounded-tag object-cover touch:h-11 touch:w-17" />
          )}
          <Button icon={ImageIcon} loading={isLoading} onClick={() => void choose()}>
            {value === null ? t("settingsAppearance.choosePicture") : t("settingsAppearance.changePicture")}
          </Button>
          {value !== null && (
            <Button variant="ghost" onClick={reset}>
              {t("settingsAppearance.removePicture")}
            </Button>
          )}
        </span>
      }
    />
  );
}

/** Long edges in px and qualities, best first. */
const attempts = [
  { edge: 1_920, quality: 0.85 },
  { edge: 1_920, quality: 0.7 },
  { edge: 1_440, quality: 0.7 },
  { edge: 1_080, quality: 0.6 },
  { edge: 720, quality: 0.5 },
] as const;

/** A longer data URL makes us try a smaller picture: settings share a few MiB with all else that is stored this way. */
const lengthWanted = 768 * 1024;

/**
 * A picture file as a data URL (WebP, or JPEG if the browser cannot encode it) small enough to be stored with
 * the settings.
 * @throws WarrenError as `pictureFromFile`; `file-too-large` if no attempt is small enough.
 */
export function backgroundPictureFrom(file: File): Promise<string> {
  return drawnFrom(file, smallestOf, pictureLengthMax);
}

function smallestOf(image: HTMLImageElement): string {
  let smallest = "";
  for (const { edge, quality } of attempts) {
    smallest = encode(image, edge, quality);
    if (smallest.length <= lengthWanted) return smallest;
  }
  if (smallest.length <= pictureLengthMax) return smallest;
  throw new WarrenError("file-too-large");
}

/** The width and height that fit into a square of `edge`, never enlarged. */
export function fitInto(width: number, height: number, edge: number): { width: number; height: number } {
  const scale = Math.min(1, edge / Math.max(width, height, 1));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function encode(image: HTMLImageElement, edge: number, quality: number): string {
  // An image without an intrinsic size (some SVG) fills the square.
  const { width, height } = fitInto(image.naturalWidth || edge, image.naturalHeight || edge, edge);
  const { canvas, context } = readableCanvas(width, height);
  context.drawImage(image, 0, 0, width, height);
  const webp = canvas.toDataURL("image/webp", quality);
  return webp.startsWith("data:image/webp") ? webp : canvas.toDataURL("image/jpeg", quality);
}
