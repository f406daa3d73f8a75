import { useId } from "react";
import { useT } from "../i18n/use-t.ts";
import { Segmented } from "../ui/fields/segmented.tsx";
import { NumberRow, SliderRow, SwitchRow } from "./option-rows.tsx";
import { SettingRow } from "./setting-row.tsx";
import { useSetting } from "./use-setting.ts";

/** Options of sent files. */
export function FileSenderSection() {
  return (
    <>
      <SwitchRow name="keepSentFiles" />
      <SwitchRow name="automaticCacheDeletion" />
      <SwitchRow name="shareFilesWithRoom" />
      <SliderRow name="compressionLevel" />
    </>
  );
}

/** Received files and messages, and what is accepted automatically. */
export function FileReceiverSection() {
  return (
    <>
      <SwitchRow name="keepReceived" />
      <SwitchRow name="automaticDownload" />
      <SwitchRow name="automaticPictures" />
      <TrustRow />
      <NumberRow name="maxFileSize" />
    </>
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
