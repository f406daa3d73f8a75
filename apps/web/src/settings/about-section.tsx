import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { useRoomActions } from "../room/use-room-actions.ts";
import { Button } from "../ui/button.tsx";

/** This build, its source code, and the link to its promises. */
export function AboutSection() {
  const t = useT();
  const format = useFormat();
  const { showAbout } = useRoomActions();
  const facts = [
    [t("settingsAbout.version"), __APP_VERSION__],
    [t("settingsAbout.built"), format.dateTime(Date.parse(__BUILD_TIME__))],
    [t("settingsAbout.commit"), __COMMIT__],
    [t("settingsAbout.licence"), t("settingsAbout.mit")],
  ];
  return (
    <>
      <dl className="mt-2">
        {facts.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4 border-b border-line py-3.5">
            <dt className="font-medium">{name}</dt>
            <dd className="text-text-2 tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-compact text-text-2">{t("about.disclaimer")}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button onClick={() => void showAbout("about")}>{t("settingsAbout.open")}</Button>
        <Button variant="ghost" onClick={() => void showAbout("how-it-works")}>
          {t("settingsAbout.howItWorks")}
        </Button>
        <a
          href={__SOURCE_URL__}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-8 items-center px-3 text-accent-text underline max-md:min-h-11"
        >
          {t("about.source")}
        </a>
      </div>
    </>
  );
}
