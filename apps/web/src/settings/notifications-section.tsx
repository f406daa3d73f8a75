import { useT } from "../i18n/use-t.ts";
import { useNotificationAccess, useSwitchNotifications } from "../notifications/use-notifications.ts";
import { playSound } from "../platform/play-sound.ts";
import { SwitchRow, ToggleRow } from "./rows/option-rows.tsx";
import { SettingGroup } from "./rows/setting-group.tsx";
import { useSetting } from "./rows/use-setting.ts";

/** What tells of events while the page is not seen. */
export function NotificationsSection() {
  const t = useT();
  return (
    <>
      <SettingGroup>
        <NotificationsRow />
        <SwitchRow name="notificationContent" />
        <SoundsRow />
      </SettingGroup>
      <p className="mt-3 px-4 text-compact text-text-2">{t("settingsNotifications.mute")}</p>
    </>
  );
}

/** Asks the browser when it is switched on. */
function NotificationsRow() {
  const t = useT();
  const access = useNotificationAccess();
  const switchTo = useSwitchNotifications();
  const { value } = useSetting("notifications");
  const reasons = {
    unsupported: t("settingsNotifications.unsupported"),
    denied: t("settingsNotifications.denied"),
    default: undefined,
    granted: undefined,
  };
  return (
    <ToggleRow
      label={t("settings.option.notifications.label")}
      help={t("settings.option.notifications.help")}
      value={value && access === "granted"}
      byDefault={false}
      unavailable={reasons[access]}
      onChange={(isOn) => void switchTo(isOn)}
      onReset={() => void switchTo(false)}
    />
  );
}

/** Plays one when it is switched on, so that a person knows what to expect. */
function SoundsRow() {
  const t = useT();
  const { value, set, reset } = useSetting("sounds");
  return (
    <ToggleRow
      label={t("settings.option.sounds.label")}
      help={t("settings.option.sounds.help")}
      value={value}
      byDefault={false}
      onChange={(isOn) => {
        set(isOn);
        if (isOn) playSound("message");
      }}
      onReset={reset}
    />
  );
}
