import { type ReactNode, useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { Folded } from "../ui/folded.tsx";
import { useDevice } from "../wiring/device-context.tsx";
import { confirm } from "../wiring/dialogs/question.tsx";
import { toast } from "../wiring/toast.tsx";
import { useChooseLanguage } from "../wiring/use-language.ts";
import { useTheme } from "../wiring/use-theme.ts";
import { useWarren } from "../wiring/warren-context.tsx";
import { NumberRow, SliderRow, SwitchRow } from "./option-rows.tsx";
import { SettingsFilePart } from "./settings-file-part.tsx";
import { StoragePart } from "./storage-part.tsx";
import { useAreChanged } from "./use-setting.ts";

/** Stored data, settings as a file, resets, and transfer internals. */
export function AdvancedSection() {
  const t = useT();
  return (
    <>
      <StoragePart />
      <SettingsFilePart />
      <h2 className="mt-7 text-heading-sm">{t("settingsAdvanced.cleaning")}</h2>
      <ResetLine />
      <CacheLine />
      <EraseLine />
      <TransferPart />
    </>
  );
}

interface ActionLineProps {
  readonly title: string;
  readonly line: string;
  readonly children: ReactNode;
}

function ActionLine({ title, line, children }: ActionLineProps) {
  return (
    <div className="flex items-center justify-between gap-x-6 gap-y-2 border-b border-line py-3.5 last:border-b-0 max-md:flex-col max-md:items-stretch">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        <p className="text-compact text-text-2">{line}</p>
      </div>
      {children}
    </div>
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

/** Only needed for measurements. */
function TransferPart() {
  const t = useT();
  return (
    <Folded
      title={t("settingsAdvanced.transfers")}
      opensFor={useAreChanged(transferOptions)}
      className="mt-7"
    >
      <p className="text-compact text-text-2">{t("settingsAdvanced.transfersLine")}</p>
      <SliderRow name="channelsNumber" />
      <SwitchRow name="ordered" />
      <NumberRow name="chunkSize" />
      <NumberRow name="blockSize" />
      <NumberRow name="bufferedAmountLowThreshold" />
      <SliderRow name="maxMemoryCacheSlices" />
    </Folded>
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
    <ActionLine title={t("settingsAdvanced.reset")} line={t("settingsAdvanced.resetLine")}>
      <Button className="text-danger!" onClick={() => void reset()}>
        {t("settingsAdvanced.resetVerb")}
      </Button>
    </ActionLine>
  );
}

function CacheLine() {
  const t = useT();
  const { browserData } = useDevice();
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
      const error = thrown instanceof Error ? thrown.message : String(thrown);
      toast.error(t("toast.cacheClearFailed", { error }));
    } finally {
      setClearing(false);
    }
  };
  return (
    <ActionLine title={t("settingsAdvanced.cache")} line={t("settingsAdvanced.cacheLine")}>
      <Button className="text-danger!" loading={isClearing} onClick={() => void clear()}>
        {t("settingsAdvanced.cacheVerb")}
      </Button>
    </ActionLine>
  );
}

function EraseLine() {
  const t = useT();
  const { browserData } = useDevice();
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
    <ActionLine title={t("settingsAdvanced.erase")} line={t("settingsAdvanced.eraseLine")}>
      <Button className="text-danger!" onClick={() => void erase()}>
        {t("settingsAdvanced.eraseVerb")}
      </Button>
    </ActionLine>
  );
}
