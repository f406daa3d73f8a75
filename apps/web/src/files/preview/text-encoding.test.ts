import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeText } from "../../testing/encode-text.ts";
import { decodeText, detectEncoding } from "./text-encoding.ts";
import { type Encoding, encodings } from "./text-languages.ts";

const detect = (bytes: Uint8Array, ...readerLanguages: readonly string[]) =>
  detectEncoding(bytes, { isText: true, readerLanguages });

/** What a reader sees of bytes. */
function shown(bytes: Uint8Array, ...readerLanguages: readonly string[]): string | null {
  const encoding = detect(bytes, ...readerLanguages);
  return encoding === null ? null : decodeText(bytes, encoding, false);
}

/** A sentence or a few lines in each language, and the encodings its files are found in. */
const texts: readonly (readonly [tag: string, encodings: readonly Encoding[], text: string])[] = [
  ["zh-CN", ["gb18030"], "会议记录：下周三上午十点，三楼。"],
  ["zh-CN", ["gb18030"], "姓名,数量\r\n苹果,3\r\n梨,12\r\n"],
  ["zh-CN", ["gb18030"], "第1章 春天来了，花园里开满了各种颜色的花。iPhone手机A4纸"],
  ["zh-TW", ["big5"], "會議記錄：下週三上午十點，三樓。"],
  ["zh-TW", ["big5"], "品名,數量\r\n蘋果,3\r\n梨子,12\r\n"],
  ["ja", ["shift_jis", "euc-jp", "iso-2022-jp"], "議事録：来週水曜の午前十時、三階。"],
  ["ja", ["shift_jis", "euc-jp", "iso-2022-jp"], "品名,数\r\nりんご,3\r\nバナナ,12\r\n"],
  ["ko", ["euc-kr"], "회의록: 다음 주 수요일 오전 열 시, 삼 층."],
  ["ko", ["euc-kr"], "이름,수량\r\n사과,3\r\n배,12\r\n"],
  ["ru", ["windows-1251", "koi8-r", "ibm866"], "Протокол собрания: в среду в десять утра, третий этаж."],
  ["ru", ["windows-1251"], "Название,Количество\r\nЯблоки,3\r\nГруши,12\r\n"],
  ["uk", ["windows-1251"], "Протокол зборів: у середу о десятій ранку, третій поверх."],
  ["el", ["windows-1253"], "Πρακτικά: την επόμενη Τετάρτη στις δέκα, τρίτος όροφος."],
  ["he", ["windows-1255"], "פרוטוקול הישיבה: ביום רביעי הבא בשעה עשר, קומה שלישית."],
  ["ar", ["windows-1256"], "محضر الاجتماع: يوم الأربعاء القادم الساعة العاشرة، الطابق الثالث."],
  ["th", ["windows-874"], "บันทึกการประชุม วันพุธหน้า เวลาสิบโมง ชั้นสาม"],
  ["de", ["windows-1252"], "Bitte schicken Sie die Verträge. Schöne Grüße!"],
  ["fr", ["windows-1252"], "Compte rendu de réunion : mercredi à dix heures, troisième étage. À bientôt !"],
  ["es", ["windows-1252"], "Acta: el próximo miércoles a las diez. ¡Gracias, señor Muñoz!"],
  ["pl", ["windows-1250", "iso-8859-2"], "Protokół ze spotkania: w przyszłą środę o dziesiątej."],
  ["cs", ["windows-1250"], "Zápis z porady: příští středu v deset hodin, třetí patro."],
  ["hu", ["windows-1250"], "Jegyzőkönyv: jövő szerdán tíz órakor, harmadik emelet."],
  ["tr", ["windows-1254"], "Toplantı tutanağı: gelecek çarşamba saat onda, üçüncü kat."],
  ["lt", ["windows-1257"], "Posėdžio protokolas: kitą trečiadienį dešimtą valandą."],
];
const cases = texts.flatMap(([tag, found, text]) => found.map((encoding) => ({ tag, encoding, text })));

describe("a text", () => {
  test.each(cases)(
    "in $encoding is readable, whatever the reader's language: $text",
    ({ encoding, text }) => {
      const bytes = encodeText(text, encoding);
      for (const tags of [["en-US"], ["zh-CN", "en"], ["zh-TW"], []])
        expect(shown(bytes, ...tags)).toBe(text);
    },
  );

  test.each(cases)("in $encoding is readable if its last character is cut: $text", ({ encoding, text }) => {
    const cut = encodeText(text, encoding).subarray(0, -1);
    const found = detect(cut, "en-US");
    expect(found).not.toBeNull();
    const start = decodeText(cut, found ?? "utf-8", true);
    expect(text.startsWith(start)).toBe(true);
    expect(text.length - start.length).toBeLessThanOrEqual(2);
  });

  test.each(cases)("in $encoding is readable after a long part in ASCII: $text", ({ encoding, text }) => {
    const whole = `${"GET /index.html HTTP/1.1 200\n".repeat(500)}${"x".repeat(5_000)} ${text}\n`;
    expect(shown(encodeText(whole, encoding), "en-US")).toBe(whole);
  });

  // All are regular in several encodings: the reader's language decides.
  test.each([
    ["zh-CN", "gb18030", "测试"],
    ["zh-CN", "gb18030", "一月"],
    ["zh-Hans-SG", "gb18030", "名称"],
    ["zh-CN", "gb18030", "葡萄牙"],
    ["zh-TW", "big5", "測試"],
    ["zh-HK", "big5", "名稱"],
    ["ja", "shift_jis", "東京"],
    ["ja-JP", "euc-jp", "会議"],
    ["ko-KR", "euc-kr", "시험"],
    ["ru-RU", "windows-1251", "тест"],
    ["ru", "koi8-r", "привет"],
    ["de-AT", "windows-1252", "für"],
    ["pl", "windows-1250", "środa"],
  ] as const)("of one word is readable in %s, in %s: %s", (tag, encoding, text) => {
    expect(shown(encodeText(text, encoding), tag)).toBe(text);
    // English, in which the app often is, tells nothing.
    expect(shown(encodeText(text, encoding), "en-US", tag)).toBe(text);
  });

  test("of four bytes of GBK is 测试", () => {
    expect(shown(Uint8Array.of(0xb2, 0xe2, 0xca, 0xd4), "zh-CN")).toBe("测试");
    expect(shown(Uint8Array.of(0xb2, 0xe2, 0xca, 0xd4), "en-US")).toBe("测试");
  });

  test.each(["utf-16le", "utf-16be"] as const)("in %s is readable with and without its mark", (encoding) => {
    for (const text of ["Morning\r\nall", "会议记录：下周三上午十点。", "Привет,\nмир", "名前\r\n"]) {
      expect(shown(encodeText(text, encoding), "en-US")).toBe(text);
      expect(shown(encodeText(`\uFEFF${text}`, encoding), "en-US")).toBe(text);
    }
  });

  test("in UTF-8 is read as such, with its mark, with a few wrong bytes, and of any length", () => {
    for (const text of ["", "plain", "é", "测试", "😀", "\u001B[1mbold\u001B[0m"]) {
      expect(shown(encodeText(text, "utf-8"), "zh-CN")).toBe(text);
      expect(shown(encodeText(`\uFEFF${text}`, "utf-8"), "zh-CN")).toBe(text);
    }
    const damaged = encodeText("Es ist für Käthe, schön verpackt, in München.", "utf-8").with(3, 0xff);
    expect(detect(damaged, "de")).toBe("utf-8");
  });

  test("with one wrong byte is still readable", () => {
    const bytes = encodeText("会议记录：下周三上午十点，三楼。\n".repeat(4), "gb18030");
    expect(detect(Uint8Array.of(...bytes, 0xff, 0x0a), "zh-CN")).toBe("gb18030");
  });
});

describe("no text", () => {
  const program = Uint8Array.from({ length: 4_096 }, (_, at) => (at * 2_654_435_761) >>> 13);

  test.each([
    ["a program", program],
    ["zeros", new Uint8Array(4_096)],
    ["a single control character", Uint8Array.of(1)],
  ])("is %s, whatever its name", (_what, bytes) => {
    expect(detect(bytes, "zh-CN")).toBeNull();
  });

  test("is a file in an older encoding that does not claim to be a text", () => {
    const bytes = encodeText("会议记录：下周三上午十点，三楼。", "gb18030");
    expect(detectEncoding(bytes, { isText: false, readerLanguages: ["zh-CN"] })).toBeNull();
    expect(detectEncoding(encodeText("测试", "utf-8"), { isText: false, readerLanguages: [] })).toBe("utf-8");
  });
});

test("any bytes and languages have an encoding that decodes them, or none", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.string()), (bytes, tags) => {
      const encoding = detect(bytes, ...tags);
      if (encoding !== null) decodeText(bytes, encoding, true);
    }),
  );
});

test("every encoding to choose is one that browsers decode", () => {
  for (const encoding of encodings) expect(new TextDecoder(encoding).encoding).toBe(encoding);
});
