import { useT } from "../i18n/use-t.ts";
import { BuildFacts } from "../room/build-facts.tsx";
import { useRoomActions } from "../room/use-room-actions.ts";
import { Button } from "../ui/button.tsx";
import { SettingGroup } from "./rows/setting-group.tsx";

/** This build, its source code, and the link to its promises. */
export function AboutSection() {
  const t = useT();
  const { showAbout } = useRoomActions();
  return (
    <>
      <SettingGroup>
        <BuildFacts />
      </SettingGroup>
      <p className="mt-3 px-4 text-compact text-text-2">{t("about.disclaimer")}</p>
      <div className="mt-4 flex flex-wrap gap-2 max-md:*:flex-1">
        <Button onClick={() => void showAbout("about")}>{t("settingsAbout.open")}</Button>
        <Button onClick={() => void showAbout("how-it-works")}>{t("settingsAbout.howItWorks")}</Button>
        <a
          href={__SOURCE_URL__}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-8 items-center justify-center px-3 text-accent-text underline max-md:min-h-11 max-md:basis-full"
        >
          {t("about.source")}
        </a>
      </div>
    </>
  );
}
