import { pickWord, randomName } from "@warren/core";
import type { Locale } from "../i18n/locales.ts";

/** Nicknames that nobody takes for a real name, of many first letters, which the picture shows; those in English are core's. */
const nicknames: Partial<Record<Locale, readonly string[]>> = {
  "zh-cn": (
    "海豚 松鼠 刺猬 企鹅 熊猫 狐狸 海狮 河马 考拉 浣熊 水獭 鲸鱼 白兔 麋鹿 羊驼 " +
    "鹦鹉 袋鼠 蜗牛 蜜蜂 瓢虫 螃蟹 章鱼 海星 贝壳 云朵 月亮 星星 太阳 雨滴 雪花 " +
    "草莓 蜜桃 橘子 柠檬 樱桃 西瓜 土豆 南瓜 蘑菇 豆芽 饼干 布丁 汤圆 馒头 糖果 " +
    "麻薯 海螺 火箭 飞船 风筝 铃铛 竹笋 橡果 闪电 灯塔 帆船 芒果 核桃 花生 泡芙"
  ).split(" "),
  "zh-tw": (
    "海豚 松鼠 刺蝟 企鵝 貓熊 狐狸 海獅 河馬 無尾熊 浣熊 水獺 鯨魚 白兔 麋鹿 羊駝 " +
    "鸚鵡 袋鼠 蝸牛 蜜蜂 瓢蟲 螃蟹 章魚 海星 貝殼 雲朵 月亮 星星 太陽 雨滴 雪花 " +
    "草莓 蜜桃 橘子 檸檬 櫻桃 西瓜 地瓜 南瓜 蘑菇 豆芽 餅乾 布丁 湯圓 饅頭 糖果 " +
    "麻糬 海螺 火箭 飛船 風箏 鈴鐺 竹筍 橡果 閃電 燈塔 帆船 芒果 核桃 花生 泡芙"
  ).split(" "),
};

/** A nickname in the language of a person who has not chosen a name. */
export function suggestName(locale: Locale): string {
  const words = nicknames[locale];
  return words === undefined ? randomName() : pickWord(words);
}
