import { toWarrenError } from "@warren/protocol";
import { useId, useState } from "react";
import { errorText } from "../i18n/i18n.ts";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { ImageIcon } from "../ui/icons.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { backgroundPictureFrom } from "./background-picture.ts";
import { SettingRow } from "./rows/setting-row.tsx";
import { useSetting } from "./rows/use-setting.ts";

/** Chooses the background picture from a file, or removes it. */
export function BackgroundRow() {
  const t = useT();
  const { pickFiles } = usePlatform();
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
