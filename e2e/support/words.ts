import { enUs } from "../../apps/web/src/i18n/en-us.ts";
import type { Translate } from "../../apps/web/src/i18n/messages.ts";
import { createTranslator } from "../../apps/web/src/i18n/translator.ts";
import { zhCn } from "../../apps/web/src/i18n/zh-cn.ts";
import { zhTw } from "../../apps/web/src/i18n/zh-tw.ts";

const texts = { "en-us": enUs, "zh-cn": zhCn, "zh-tw": zhTw };

/** The texts of the interface in a language, with values inserted as in the app. */
export function wordsOf(locale: keyof typeof texts): Translate {
  const translator = createTranslator(locale, texts[locale]);
  return (key, ...[values]) => translator.translate(key, values ?? {}) ?? key;
}
