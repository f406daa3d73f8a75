import { pickWord, randomName } from "@warren/core";
import type { Locale } from "../i18n/locales.ts";

/** Nicknames that nobody takes for a real name; those in English are core's. */
const nicknames: Partial<Record<Locale, readonly string[]>> = {
  "zh-cn": (
    "小海豚 小松鼠 小刺猬 小企鹅 小熊猫 小狐狸 小海狮 小河马 小考拉 小浣熊 小水獭 小鲸鱼 小白兔 小麋鹿 小羊驼 " +
    "小鹦鹉 小袋鼠 小蜗牛 小蜜蜂 小瓢虫 小螃蟹 小章鱼 小海星 小贝壳 小云朵 小月亮 小星星 小太阳 小雨滴 小雪花 " +
    "小草莓 小蜜桃 小橘子 小柠檬 小樱桃 小西瓜 小土豆 小南瓜 小蘑菇 小豆芽 小饼干 小布丁 小汤圆 小馒头 小糖果 " +
    "小麻薯 小海螺 小火箭 小飞船 小风筝 小铃铛 小竹笋 小橡果 小闪电 小灯塔 小帆船 小芒果 小核桃 小花生 小泡芙"
  ).split(" "),
  "zh-tw": (
    "小海豚 小松鼠 小刺蝟 小企鵝 小貓熊 小狐狸 小海獅 小河馬 小無尾熊 小浣熊 小水獺 小鯨魚 小白兔 小麋鹿 小羊駝 " +
    "小鸚鵡 小袋鼠 小蝸牛 小蜜蜂 小瓢蟲 小螃蟹 小章魚 小海星 小貝殼 小雲朵 小月亮 小星星 小太陽 小雨滴 小雪花 " +
    "小草莓 小蜜桃 小橘子 小檸檬 小櫻桃 小西瓜 小地瓜 小南瓜 小蘑菇 小豆芽 小餅乾 小布丁 小湯圓 小饅頭 小糖果 " +
    "小麻糬 小海螺 小火箭 小飛船 小風箏 小鈴鐺 小竹筍 小橡果 小閃電 小燈塔 小帆船 小芒果 小核桃 小花生 小泡芙"
  ).split(" "),
};

/** A nickname in the language of a person who has not chosen a name. */
export function suggestName(locale: Locale): string {
  const words = nicknames[locale];
  return words === undefined ? randomName() : pickWord(words);
}
