import type { Servers } from "@warren/core";
import { saveFile } from "../files/save-file.ts";
import { useFormat } from "../i18n/format.ts";
import { isLocale } from "../i18n/locales.ts";
import { useT } from "../i18n/use-t.ts";
import { serverHosts } from "../room/join-link.ts";
import { openDialog } from "../ui/open-dialog.tsx";
import { toast } from "../ui/toaster.tsx";
import { useChooseLanguage } from "../ui/use-language.ts";
import { useTheme } from "../ui/use-theme.ts";
import { useWarren } from "../ui/warren-context.tsx";
import { ExportSettingsDialog } from "./export-settings-dialog.tsx";
import { ImportSettingsDialog } from "./import-settings-dialog.tsx";
import { settingLabel } from "./option-label.ts";
import { readSettingsFile, settingsFileBytesMax, writeSettingsFile } from "./settings-file.ts";
import { planImport } from "./settings-import.ts";

const namesMax = 12;

/** Exports and imports settings. Both ask first, and neither rejects. */
export interface SettingsFileActions {
  exportSettings(): Promise<void>;
  importSettings(file: File): Promise<void>;
}

/** Returns {@link SettingsFileActions}. */
export function useSettingsFile(): SettingsFileActions {
  const t = useT();
  const format = useFormat();
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
    saveFile(new File([text], t("settingsAdvanced.fileName"), { type: "application/json" }));
  };

  const importSettings = async (file: File): Promise<void> => {
    if (file.size > settingsFileBytesMax) {
      toast.error(t("settingsAdvanced.importTooLarge", { size: format.size(settingsFileBytesMax) }));
      return;
    }
    const read = readSettingsFile(await file.text().catch(() => ""));
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
