import { useT } from "../../i18n/use-t.ts";
import { Segmented } from "../../ui/fields/segmented.tsx";
import { themes, useTheme } from "./use-theme.ts";

/** Chooses the theme. */
export function ThemeChoice() {
  const t = useT();
  const { theme, setTheme } = useTheme();
  return (
    <Segmented
      label={t("theme.label")}
      value={theme}
      options={themes.map((value) => ({ value, label: t(`theme.${value}`) }))}
      onChange={setTheme}
    />
  );
}
