import { useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { messageOf } from "../platform/message-of.ts";
import { Button } from "../ui/button.tsx";
import { Collapsible } from "../ui/collapsible.tsx";
import { confirm } from "../wiring/dialogs/question.tsx";
import { usePlatform } from "../wiring/platform-context.ts";
import { useChooseLanguage } from "../wiring/preferences/use-language.ts";
import { useTheme } from "../wiring/preferences/use-theme.ts";
import { toast } from "../wiring/toast.ts";
import { useWarren } from "../wiring/warren-context.ts";
import { ActionRow } from "./rows/action-row.tsx";
import { NumberRow, SliderRow, SwitchRow } from "./rows/option-rows.tsx";
import { SettingGroup } from "./rows/setting-group.tsx";
import { useAreChanged } from "./rows/use-setting.ts";
import { SettingsFilePart } from "./settings-file-part.tsx";
import { StoragePart } from "./storage-part.tsx";

/** Stored data, settings as a file, resets, and transfer internals. */
export function AdvancedSection() {
  const t = useT();
  return (
    <>
      <StoragePart />
      <SettingsFilePart />
      <SettingGroup title={t("settingsAdvanced.cleaning")}>
        <ResetLine />
        <EraseLine />
      </SettingGroup>
      <TroubleshootingPart />
    </>
  );
}

const transferOptions = [
  "channelsNumber",
  "ordered",
  "chunkSize",
  "blockSize",
  "bufferedAmountLowThreshold",
  "maxMemoryCacheSlices",
] as const;

/** For an outdated app, measurements and difficult networks. */
function TroubleshootingPart() {
  const t = useT();
  return (
    <Collapsible
      title={t("settingsAdvanced.troubleshooting")}
      opensFor={useAreChanged(transferOptions)}
      className="mt-7"
    >
      <SettingGroup>
        <CacheLine />
      </SettingGroup>
      <SettingGroup title={t("settingsAdvanced.transfers")} line={t("settingsAdvanced.transfersLine")}>
        <SliderRow name="channelsNumber" />
        <SwitchRow name="ordered" />
        <NumberRow name="chunkSize" />
        <NumberRow name="blockSize" />
        <NumberRow name="bufferedAmountLowThreshold" />
        <SliderRow name="maxMemoryCacheSlices" />
      </SettingGroup>
    </Collapsible>
  );
}

function ResetLine() {
  const t = useT();
  const { settings, profile } = useWarren();
  const { setTheme } = useTheme();
  const chooseLanguage = useChooseLanguage();
  const reset = async (): Promise<void> => {
    const isConfirmed = await confirm({
      title: t("settingsAdvanced.resetTitle"),
      line: t("settingsAdvanced.resetLine"),
      verb: t("settingsAdvanced.resetVerb"),
    });
    if (!isConfirmed) return;
    settings.reset();
    profile.update({ autoJoin: false });
    setTheme("system");
    await chooseLanguage(null);
    toast.success(t("toast.optionsReset"), { description: t("toast.optionsResetLine") });
  };
  return (
    <ActionRow title={t("settingsAdvanced.reset")} line={t("settingsAdvanced.resetLine")}>
      <Button onClick={() => void reset()}>{t("settingsAdvanced.resetVerb")}</Button>
    </ActionRow>
  );
}

function CacheLine() {
  const t = useT();
  const { browserData } = usePlatform();
  const [isClearing, setClearing] = useState(false);
  const clear = async (): Promise<void> => {
    const isConfirmed = await confirm({
      title: t("settingsAdvanced.cacheTitle"),
      line: t("settingsAdvanced.cacheQuestion"),
      verb: t("settingsAdvanced.cacheVerb"),
    });
    if (!isConfirmed) return;
    setClearing(true);
    try {
      await browserData.clearCaches();
      toast.success(t("toast.cacheCleared"), { description: t("toast.cacheClearedLine") });
    } catch (thrown) {
      const error = messageOf(thrown);
      toast.error(t("toast.cacheClearFailed", { error }));
    } finally {
      setClearing(false);
    }
  };
  return (
    <ActionRow title={t("settingsAdvanced.cache")} line={t("settingsAdvanced.cacheLine")}>
      <Button loading={isClearing} onClick={() => void clear()}>
        {t("settingsAdvanced.cacheVerb")}
      </Button>
    </ActionRow>
  );
}

function EraseLine() {
  const t = useT();
  const { browserData } = usePlatform();
  const warren = useWarren();
  const erase = async (): Promise<void> => {
    const isConfirmed = await confirm({
      title: t("settingsAdvanced.eraseTitle"),
      line: t("settingsAdvanced.eraseQuestion"),
      verb: t("settingsAdvanced.eraseVerb"),
    });
    if (!isConfirmed) return;
    // Peers then see us leave instead of waiting for us to reconnect.
    warren.room.leave();
    browserData.eraseAll();
  };
  return (
    <ActionRow title={t("settingsAdvanced.erase")} line={t("settingsAdvanced.eraseLine")}>
      <Button variant="danger-secondary" onClick={() => void erase()}>
        {t("settingsAdvanced.eraseVerb")}
      </Button>
    </ActionRow>
  );
}
