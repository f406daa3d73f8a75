/** An encoding of texts, by the name that `TextDecoder` has for it. */
export type Encoding = (typeof encodings)[number];

/** The encodings to choose from, in the order of the list. */
export const encodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "gb18030",
  "big5",
  "shift_jis",
  "euc-jp",
  "iso-2022-jp",
  "euc-kr",
  "windows-1252",
  "windows-1250",
  "iso-8859-2",
  "windows-1257",
  "windows-1254",
  "windows-1258",
  "windows-1251",
  "koi8-r",
  "koi8-u",
  "ibm866",
  "windows-1253",
  "windows-1255",
  "windows-1256",
  "windows-874",
] as const;

/**
 * How texts of a language look: which encodings they are found in, and how much each character tells, in bits. A
 * frequent character tells little, one that the language does not have tells much.
 */
export interface Language {
  /** BCP 47 tags: a language, with its script if it has several. */
  readonly tags: readonly string[];
  /** Without UTF-16, which any language may be in. */
  readonly encodings: readonly Encoding[];
  /** Bits that count against the language, because its files are rarer. */
  readonly rarity: number;
  /** Letters of an alphabet follow rules of case and script. The Latin one is mixed with ASCII. */
  readonly script: "characters" | "alphabet" | "latin";
  /** The bits of a character beyond ASCII. */
  bitsOf(character: string): number;
}

// The most frequent characters, beginning with the most frequent one.
const simplified =
  "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔测试请谢价表单号姓址备注编码";
const traditional =
  "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運筆測試請謝價表單號姓址備註編碼檔";
const kanji =
  "日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要用制治度務強気小七成期公野協取都和統以機平総加思家話世受区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判認画参売利組知案道信策集在件団別物側任引使求所次水半品論計死官増係感特情投示変打男基私各始島直両朝革価式確村提運終挙果西勢減台広必応演電住争談能無再位置企真流格有疑口過局少放税検町常校料建語球営空職証土与急止送援供可役構割聴身費付切由説転食比難防補車優夫研収断井何南石足違消境神番規術護展態備宅害配副算視条警究席輸訪楽起着店述残想線病農武声質念待試族象銀域助労例衛然早張映限親額監環験追商葉義伝働形景落好準賀造英頭技低毎医去姿味負閣渡失移差個写評課末守若種美岡影命福量望松非観察整段横型白深字答夜製票況音申港識注呼達録曜階";
const hangul =
  "이다는의에을고하지가기은를한리사도로서어나시대자인해아정스일그라들수있부제전보주과게상조장구국비원면공트성으경유위마것연여선동관신드업세안진중만소용방학행계화모회년생무와단명결체등오분문력치당적산미물요재내발입실간우러까되했습니었금통각영규양달교감남북최출월합말집반설법민차개바타크르네데저음때없건카파프포코십삼천층주";

const bytesFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** The characters of two bytes in a part of an encoding. The older standards put the common characters first. */
function charactersIn(encoding: Encoding, leads: readonly number[], trails: readonly number[]) {
  const decoder = new TextDecoder(encoding);
  return leads.flatMap((lead) => [
    ...decoder.decode(Uint8Array.from(trails.flatMap((trail) => [lead, trail]))),
  ]);
}

const upper = bytesFrom(0xa1, 0xfe);
const commonHere = {
  simplified: () => charactersIn("gb18030", bytesFrom(0xb0, 0xd7), upper),
  traditional: () => charactersIn("big5", bytesFrom(0xa4, 0xc6), [...bytesFrom(0x40, 0x7e), ...upper]),
  kanji: () => charactersIn("euc-jp", bytesFrom(0xb0, 0xcf), upper),
  hangul: () => charactersIn("euc-kr", bytesFrom(0xb0, 0xc8), upper),
};

const fullwidthMarks = "，。、：；？！（）“”‘’《》「」『』【】—…～·　";

/** Bits of characters that any language of East Asia has, and of the others. */
function otherBits(character: string): number {
  if (fullwidthMarks.includes(character)) return 7;
  if (character >= "\uFF01" && character <= "\uFF5E") return 12;
  if (/\p{L}/u.test(character)) return 17;
  return /[\p{S}\p{P}\p{N}]/u.test(character) ? 15 : 24;
}

/** @param bits of the most frequent character */
function characters(frequent: string, common: () => readonly string[], bits: number) {
  let known: Map<string, number> | undefined;
  return (character: string): number => {
    known ??= new Map<string, number>([
      ...common().map((each) => [each, 12.5] as const),
      ...Array.from(
        frequent,
        (each, rank) => [each, Math.min(10.5, bits + Math.log2(1 + rank / 30))] as const,
      ),
    ]);
    let bitsOfIt = known.get(character);
    if (bitsOfIt === undefined) {
      bitsOfIt = otherBits(character);
      known.set(character, bitsOfIt);
    }
    return bitsOfIt;
  };
}

/** @param rankStep how slowly the letters after the first become rarer */
function letters(frequent: string, bits: number, rankStep: number) {
  const ranks = new Map(
    Array.from(frequent, (letter, rank) => [letter, bits + Math.log2(1 + rank / rankStep)]),
  );
  return (character: string): number => {
    let known = ranks.get(character);
    if (known === undefined) {
      const small = ranks.get(character.toLowerCase());
      known = small === undefined ? foreignBits(character) : small + 1.5;
      ranks.set(character, known);
    }
    return known;
  };
}

/** Bits of a character that is no letter of the alphabet. */
function foreignBits(character: string): number {
  if (/\p{L}/u.test(character)) return 13;
  if (/[«»“”„—–’‘…€§°№¿¡·،؟؛\u00A0\u200E\u200F]/u.test(character)) return 8;
  return /[\p{S}\p{P}\p{N}]/u.test(character) ? 13 : 22;
}

/** Japanese mixes kanji with two syllabaries. */
function japanese() {
  const kanjiBits = characters(kanji, commonHere.kanji, 7);
  return (character: string): number => {
    if (character >= "ぁ" && character <= "ゖ") return 6.2;
    if (character >= "ァ" && character <= "ー") return 7.2;
    return character >= "｡" && character <= "ﾟ" ? 13 : kanjiBits(character);
  };
}

function withCharacters(tag: string, encodings: readonly Encoding[], bitsOf: Language["bitsOf"]): Language {
  return { tags: [tag], encodings, rarity: 0, script: "characters", bitsOf };
}

function withAlphabet(
  tags: readonly string[],
  rarity: number,
  encodings: readonly Encoding[],
  alphabet: string,
): Language {
  return { tags, encodings, rarity, script: "alphabet", bitsOf: letters(alphabet, 3.4, 4) };
}

/** @param beyondAscii its letters beyond ASCII */
function withLatin(
  tags: readonly string[],
  rarity: number,
  encodings: readonly Encoding[],
  beyondAscii: string,
): Language {
  return { tags, encodings, rarity, script: "latin", bitsOf: letters(beyondAscii, 6, 3) };
}

const central = ["windows-1250", "iso-8859-2"] as const;

export const languages: readonly Language[] = [
  withCharacters("zh-Hans", ["gb18030"], characters(simplified, commonHere.simplified, 6)),
  withCharacters("zh-Hant", ["big5"], characters(traditional, commonHere.traditional, 6)),
  withCharacters("ja", ["shift_jis", "euc-jp"], japanese()),
  withCharacters("ko", ["euc-kr"], characters(hangul, commonHere.hangul, 5.5)),
  withAlphabet(["ru", "be"], 0, ["windows-1251", "koi8-r", "ibm866"], "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"),
  withAlphabet(["uk"], 2, ["windows-1251", "koi8-u"], "оаинтвіерслкудмпязьбгчйхжшїюцщєфґ"),
  withAlphabet(["bg", "mk"], 2, ["windows-1251"], "аоиетнрвсдлкпмзгуябъщчцжйхшюфь"),
  withAlphabet(["sr"], 4, ["windows-1251"], "аиоенсрјтувкдлпмзгбшчцжхљњћђфџ"),
  withAlphabet(["el"], 1, ["windows-1253"], "αοιετνσηυρπκμλςίόάέήώύχγδθβξζφψωϊϋ"),
  withAlphabet(["he"], 2, ["windows-1255"], "יוהלאמתרבשנםעדחקפצגכטסזןךףץ"),
  withAlphabet(["ar", "fa", "ur"], 2, ["windows-1256"], "اليمونتربدعةفسقكحجهشصخطضأزذثئىغءظإآپچژگ"),
  withAlphabet(["th"], 3, ["windows-874"], "นรอากเงมยล่วดท้สตะัปบิคหีแจพชขใไผุโซถูณษำศื์ธ็ญฐึ"),
  withLatin(["de"], 0, ["windows-1252"], "üäößé"),
  withLatin(["fr"], 0, ["windows-1252"], "éàèêçîôâûùëïœ"),
  withLatin(["es"], 0, ["windows-1252"], "óíáéñúü"),
  withLatin(["pt"], 0, ["windows-1252"], "ãçáéíóêâõúàô"),
  withLatin(["it"], 0, ["windows-1252"], "àèùìòé"),
  withLatin(["sv", "fi"], 0, ["windows-1252"], "äåöé"),
  withLatin(["da", "nb", "nn", "no"], 0, ["windows-1252"], "åøæé"),
  withLatin(["nl"], 1, ["windows-1252"], "ëéïèöü"),
  withLatin(["is"], 3, ["windows-1252"], "áðíéóþöæúý"),
  withLatin(["pl"], 3, central, "łóęążśćńź"),
  withLatin(["cs", "sk"], 3, central, "íáěéřčžýšůúťňďóľôäĺŕ"),
  withLatin(["hu"], 3, central, "áéöóőüíúű"),
  withLatin(["ro"], 4, central, "ăîâşţ"),
  withLatin(["hr", "sl", "bs"], 4, central, "čšžćđ"),
  withLatin(["tr", "az"], 3, ["windows-1254"], "ıüşçğöİâ"),
  withLatin(["lt"], 4, ["windows-1257"], "ėšųįąžūčę"),
  withLatin(["lv"], 4, ["windows-1257"], "āīēšņļūķģžč"),
  withLatin(["et"], 5, ["windows-1257"], "äõüöšž"),
];
