import type { ReactElement } from "react";
import { currentLocale } from "../i18n/i18n.ts";
import { locales } from "../i18n/locales.ts";
import { useT } from "../i18n/use-t.ts";
import { Loaded, onDemand } from "./on-demand.tsx";
import { Menu, type TriggerProps } from "./overlays.tsx";

const choice = onDemand(() => import("./language-choice.tsx"));

/** A language menu; its trigger gets the current language's name. */
export function LanguageMenu({
  trigger,
}: {
  readonly trigger: (name: string) => ReactElement<TriggerProps>;
}) {
  useT(); // re-renders in another language
  return (
    <Menu trigger={trigger(locales[currentLocale()].name)} code={choice}>
      <Loaded code={choice}>{({ LanguageChoice }) => <LanguageChoice />}</Loaded>
    </Menu>
  );
}
