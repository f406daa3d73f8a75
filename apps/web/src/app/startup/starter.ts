import type { KeyValueStorage, Warren } from "@warren/core";
import { translate } from "../../i18n/i18n.ts";

const sentKey = "starter_message_sent";

/** Welcomes a new user once per browser. Call it after the history has been read. */
export async function welcomeOnce({ chat }: Pick<Warren, "chat">, storage: KeyValueStorage): Promise<void> {
  if (storage.read(sentKey) !== null) return;
  const texts = [translate("starter.you"), translate("starter.room"), translate("starter.share")];
  await chat.addStarter(translate("starter.name"), texts);
  storage.write(sentKey, "true");
}
