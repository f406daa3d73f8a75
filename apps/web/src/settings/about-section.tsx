import { useT } from "../i18n/use-t.ts";
import { BuildFacts, BuildNotes, BuildSources } from "../room/build-facts.tsx";
import { useRoomActions } from "../room/use-room-actions.ts";
import { Button } from "../ui/button.tsx";
import { SettingGroup } from "./rows/setting-group.tsx";

/** This build, its sources, and the way to its promises. */
export function AboutSection() {
  const t = useT();
  const { showAbout } = useRoomActions();
  return (
    <>
      <SettingGroup>
        <BuildFacts />
      </SettingGroup>
      <div className="mt-5 flex flex-col items-start gap-5 px-4">
        <BuildSources />
        <BuildNotes />
        <Button onClick={() => void showAbout("how-it-works")}>{t("settingsAbout.howItWorks")}</Button>
      </div>
    </>
  );
}
