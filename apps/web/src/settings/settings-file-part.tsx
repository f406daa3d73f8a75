import { type Servers, serverHosts } from "@warren/core";
import { useState } from "react";
import { readText } from "../files/preview/text-encoding.ts";
import { saveFiles } from "../files/save/save-file.ts";
import { useFormat } from "../i18n/format.ts";
import { readerLanguages } from "../i18n/i18n.ts";
import { isLocale } from "../i18n/locales.ts";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { CheckLine } from "../ui/fields/checkbox.tsx";
import { Dialog, DialogFooter } from "../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../ui/overlays/dialog-control.ts";
import { openDialog } from "../wiring/dialogs/open-dialog.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { useChooseLanguage } from "../wiring/preferences/use-language.ts";
import { useTheme } from "../wiring/preferences/use-theme.ts";
import { toast } from "../wiring/toast.ts";
import { useWarren } from "../wiring/warren-context.ts";
import { withErrorToast } from "../wiring/with-error-toast.ts";
import { ActionRow } from "./rows/action-row.tsx";
import { settingLabel } from "./rows/option-label.ts";
import { SettingGroup } from "./rows/setting-group.tsx";
import { planImport, readSettingsFile, settingsFileBytesMax, writeSettingsFile } from "./settings-file.ts";

const namesMax = 12;

/** The settings as a file: exports them, and imports those of another browser. */
export function SettingsFilePart() {
  const t = useT();
  const { pickFiles } = usePlatform();
  const { exportSettings, importSettings } = useSettingsFile();
  const choose = async (): Promise<void> => {
    const [chosen] = await pickFiles({ accept: "application/json,.json" });
    if (chosen) await importSettings(chosen);
  };
  return (
    <SettingGroup title={t("settingsAdvanced.file")}>
      <ActionRow line={t("settingsAdvanced.fileLine")}>
        <div className="flex flex-wrap gap-2 *:flex-1">
          <Button onClick={() => void exportSettings()}>{t("settingsAdvanced.export")}</Button>
          <Button onClick={() => void choose()}>{t("settingsAdvanced.import")}</Button>
        </div>
      </ActionRow>
    </SettingGroup>
  );
}

/** Exports and imports settings. Both ask first, and neither rejects. */
function useSettingsFile() {
  const t = useT();
  const format = useFormat();
  const platform = usePlatform();
  const { settings, profile } = useWarren();
  const { theme, setTheme } = useTheme();
  const chooseLanguage = useChooseLanguage();
  const current = () => ({ options: settings.get(), profile: profile.get(), theme });

  /** Labels without duplicates; a long list ends with the number of the others. */
  const inWords = (names: readonly string[]): string[] => {
    const words = [...new Set(names.map((name) => settingLabel(name, t)))];
    const rest = words.length - namesMax;
    return rest > 0 ? [...words.slice(0, namesMax), t("settingsAdvanced.more", { count: rest })] : words;
  };

  const exportSettings = async (): Promise<void> => {
    const { password, roomId } = profile.get();
    const { turns } = settings.get().servers;
    const result = await openDialog(ExportSettingsDialog, {
      lockedRoom: password === null ? null : roomId,
      hasTurnSecrets: turns.some((turn) => turn.password !== ""),
    });
    if (result.cancelled) return;
    const text = writeSettingsFile(current(), result.value);
    const file = new File([text], t("settingsAdvanced.fileName"), { type: "application/json" });
    await withErrorToast(() => saveFiles([file], platform));
  };

  const importSettings = async (file: File): Promise<void> => {
    if (file.size > settingsFileBytesMax) {
      toast.error(t("settingsAdvanced.importTooLarge", { size: format.size(settingsFileBytesMax) }));
      return;
    }
    const read = readSettingsFile(await readText(file, readerLanguages()).catch(() => ""));
    if (read === null) {
      toast.error(t("settingsAdvanced.importNotRead"));
      return;
    }
    const { change, changed } = planImport(read, current());
    const { servers, websocketUrl } = change.options;
    const result = await openDialog(ImportSettingsDialog, {
      changes: inWords(changed),
      dropped: inWords(read.dropped.map(({ name }) => name)),
      hosts: hostsOf(servers, websocketUrl),
      lacksSecrets: servers?.turns.some(({ password }) => password === "") ?? false,
    });
    if (result.cancelled) return;
    settings.update(change.options);
    profile.update(change.profile);
    if (change.theme !== undefined) setTheme(change.theme);
    const { locale } = change.options;
    if (locale !== undefined) await chooseLanguage(locale !== null && isLocale(locale) ? locale : null);
    toast.success(t("settingsAdvanced.importDone"));
  };

  return { exportSettings, importSettings };
}

function hostsOf(servers: Servers | undefined, websocketUrl: string | null | undefined): readonly string[] {
  const signalling = typeof websocketUrl === "string" ? [websocketUrl] : [];
  return [...signalling, ...(servers === undefined ? [] : serverHosts(servers))];
}

/** The secrets to include in a settings file. */
interface ExportedSecrets {
  readonly withPassword: boolean;
  readonly withTurnSecrets: boolean;
}

interface ExportSettingsDialogProps extends DialogSlot<ExportedSecrets> {
  /** The room whose password could be included; null if it has none. */
  readonly lockedRoom: string | null;
  readonly hasTurnSecrets: boolean;
}

/** Asks which secrets go into a settings file: none by default. */
function ExportSettingsDialog({ dialog, lockedRoom, hasTurnSecrets }: ExportSettingsDialogProps) {
  const t = useT();
  const [withPassword, setWithPassword] = useState(false);
  const [withTurnSecrets, setWithTurnSecrets] = useState(false);
  return (
    <Dialog
      dialog={dialog}
      title={t("settingsAdvanced.exportTitle")}
      description={t("settingsAdvanced.exportLine")}
    >
      <div className="mt-3 flex flex-col gap-2">
        {lockedRoom !== null && (
          <CheckLine checked={withPassword} onChange={setWithPassword}>
            {t("settingsAdvanced.exportPassword", { room: lockedRoom })}
          </CheckLine>
        )}
        {hasTurnSecrets && (
          <CheckLine checked={withTurnSecrets} onChange={setWithTurnSecrets}>
            {t("settingsAdvanced.exportTurn")}
          </CheckLine>
        )}
      </div>
      <DialogFooter>
        <Button variant="ghost" onClick={dialog.cancel}>
          {t("common.cancel")}
        </Button>
        <Button variant="primary" onClick={() => dialog.submit({ withPassword, withTurnSecrets })}>
          {t("settingsAdvanced.exportVerb")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

interface ImportSettingsDialogProps extends DialogSlot<true> {
  /** The changes, in words. */
  readonly changes: readonly string[];
  /** The unusable parts of the file, in words. */
  readonly dropped: readonly string[];
  /** The hosts that connections would newly use. */
  readonly hosts: readonly string[];
  /** Whether the file has TURN servers without their passwords. */
  readonly lacksSecrets: boolean;
}

/** Previews what a settings file changes and what is ignored, before importing it. */
function ImportSettingsDialog({ dialog, changes, dropped, hosts, lacksSecrets }: ImportSettingsDialogProps) {
  const t = useT();
  const format = useFormat();
  const isEmpty = changes.length === 0;
  return (
    <Dialog
      dialog={dialog}
      title={t("settingsAdvanced.importTitle")}
      description={
        isEmpty
          ? t("settingsAdvanced.importNothing")
          : t("settingsAdvanced.importCount", { count: changes.length })
      }
    >
      <div className="mt-3 flex flex-col gap-2 break-words text-compact text-text-2">
        {!isEmpty && <p>{t("settingsAdvanced.importChanges", { names: format.items(changes) })}</p>}
        {hosts.length > 0 && <p>{t("settingsAdvanced.importServers", { hosts: format.items(hosts) })}</p>}
        {lacksSecrets && <p>{t("settingsAdvanced.importSecrets")}</p>}
        {dropped.length > 0 && (
          <p className="text-warn">{t("settingsAdvanced.importDropped", { names: format.items(dropped) })}</p>
        )}
      </div>
      <DialogFooter>
        <Button variant="ghost" onClick={dialog.cancel}>
          {isEmpty ? t("common.close") : t("common.cancel")}
        </Button>
        {!isEmpty && (
          <Button variant="primary" onClick={() => dialog.submit(true)}>
            {t("settingsAdvanced.importVerb")}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  );
}
