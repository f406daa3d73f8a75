import { useId } from "react";
import { useT } from "../i18n/use-t.ts";
import { Segmented } from "../ui/fields/segmented.tsx";
import { ChoiceRow } from "./rows/choice-row.tsx";
import { NumberRow, SliderRow, SwitchRow } from "./rows/option-rows.tsx";
import { SettingGroup } from "./rows/setting-group.tsx";
import { SettingRow } from "./rows/setting-row.tsx";
import { useSetting } from "./rows/use-setting.ts";

/** Options of sent files. */
export function FileSenderSection() {
  const t = useT();
  return (
    <SettingGroup>
      <ChoiceRow
        label={t("settings.choice.copies.label")}
        help={t("settings.choice.copies.help")}
        choices={[
          {
            value: "none",
            label: t("settings.choice.copies.none"),
            options: { keepSentFiles: false, automaticCacheDeletion: false },
          },
          {
            value: "received",
            label: t("settings.choice.copies.untilReceived"),
            options: { keepSentFiles: true, automaticCacheDeletion: true },
          },
          {
            value: "keep",
            label: t("settings.choice.copies.keep"),
            options: { keepSentFiles: true, automaticCacheDeletion: false },
          },
        ]}
      />
      <SwitchRow name="shareFilesWithRoom" />
      <SwitchRow name="passOnFiles" />
      <SliderRow name="compressionLevel" />
    </SettingGroup>
  );
}

/** Received files and messages, and what is accepted automatically. */
export function FileReceiverSection() {
  const t = useT();
  return (
    <SettingGroup>
      <SwitchRow name="keepReceived" />
      <ChoiceRow
        label={t("settings.choice.unasked.label")}
        help={t("settings.choice.unasked.help")}
        choices={[
          {
            value: "nothing",
            label: t("settings.choice.unasked.nothing"),
            options: { automaticDownload: false, automaticPictures: false },
          },
          {
            value: "pictures",
            label: t("settings.choice.unasked.pictures"),
            options: { automaticDownload: false, automaticPictures: true },
          },
          {
            value: "files",
            label: t("settings.choice.unasked.files"),
            options: { automaticDownload: true, automaticPictures: true },
          },
        ]}
      />
      <TrustRow />
      <NumberRow name="maxFileSize" />
    </SettingGroup>
  );
}

function TrustRow() {
  const t = useT();
  const { value, isDefault, set, reset } = useSetting("trust");
  return (
    <SettingRow
      id={useId()}
      label={t("settings.option.trust.label")}
      help={t("settings.option.trust.help")}
      byDefault={t("settings.default", { value: t("settings.option.trust.everyone") })}
      onReset={isDefault ? undefined : reset}
      control={
        <Segmented
          label={t("settings.option.trust.label")}
          value={value}
          options={[
            { value: "everyone", label: t("settings.option.trust.everyone") },
            { value: "verified", label: t("settings.option.trust.verified") },
          ]}
          onChange={set}
        />
      }
    />
  );
}
