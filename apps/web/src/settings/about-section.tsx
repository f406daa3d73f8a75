import { useT } from "../i18n/use-t.ts";
import { BuildFacts } from "../room/build-facts.tsx";
import { useRoomActions } from "../room/use-room-actions.ts";
import { Button } from "../ui/button.tsx";

/** This build, its source code, and the link to its promises. */
export function AboutSection() {
  const t = useT();
  const { showAbout } = useRoomActions();
  return (
    <>
      <BuildFacts />
      <p className="mt-2 text-compact text-text-2">{t("about.disclaimer")}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button onClick={() => void showAbout("about")}>{t("settingsAbout.open")}</Button>
        <Button onClick={() => void showAbout("how-it-works")}>{t("settingsAbout.howItWorks")}</Button>
        <a
          href={__SOURCE_URL__}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-8 items-center px-3 text-accent-text underline max-md:min-h-11 max-md:px-0"
        >
          {t("about.source")}
        </a>
      </div>
    </>
  );
}
