import { type Contact, isStarter } from "@warren/core";
import type { ClientId } from "@warren/protocol";

/**
 * Letters of the Latin, Greek, Cyrillic and Armenian scripts that look like Latin letters or digits, mapped
 * to those. From confusables.txt of Unicode Technical Standard 39, version 15.0
 * (unicode.org/Public/security), in lower case, without combining marks and without those that NFKC maps
 * already.
 */
const confusables: Readonly<Record<string, string>> = {
  "2": "ƧƻꙄꝚ",
  "3": "ƷȜЗҘӠꝪꞫ",
  "5": "Ƽ",
  "6": "б",
  "8": "Ȣȣ",
  "9": "Ꝯ",
  a: "ɑΑαАа",
  b: "ƀƂƃƄɓΒБВЬѢѣҌҍꞴ",
  c: "ȼСсҪҫᴄ",
  d: "ÐĐđƉƌɖɗԁ",
  e: "ɆɇΕЕеҽҿꬲ",
  f: "ƑƒϜքᵮẝꞘꞙꬵ",
  g: "ƍǤǥɠɡԌցᶃ",
  h: "ĦħɦΗНћҢһӇӉհⱧꚕ",
  i: "ıɨɩɪιіӏᵻᵼꙇ",
  j: "ɈɉͿϳЈјꞲ",
  k: "ƙΚКҚҞⱩꝀ",
  l: "ŁłƖƗƚǀɫɭΙІӀ",
  m: "ΜϺМӍ",
  n: "ƝƞɳΝηոռᵰ",
  o: "ØøƟɵΘΟθοσОоѲѳӨөՕօᴏᴑꝊꝋꬽꬾ",
  p: "ƥΡρРрᵽ",
  q: "ʠԛգզ",
  r: "Ʀɍɼɽгғᴦᵲꭇꭈ",
  s: "ƽʂЅѕՏᵴꜱ",
  t: "ŦŧƭƮȾΤТҬᵵ",
  u: "ɄʋυՍսᴜᵾꞟꭎꭒ",
  v: "νѴѵᴠ",
  w: "ɯѡѽԜԝաᴡꝡ",
  x: "ΧХхҲꞳ",
  y: "ƴɎɏɣʏΥγУуҮүҰұᶌỿꭚ",
  z: "ƵƶȤȥʐΖᴢᵶ",
  aa: "Ꜳꜳ",
  ae: "ÆæӔӕ",
  ao: "Ꜵꜵ",
  au: "Ꜷꜷ",
  av: "ꜸꜹꜺꜻ",
  ay: "Ꜽꜽ",
  bl: "Ы",
  dz: "ʣ",
  ll: "ǁ",
  lo: "Ю",
  ls: "ʪ",
  lz: "ʫ",
  oe: "Œœ",
  oo: "ꚘꚙꝎꝏ",
  rn: "ɱᵯ",
  t3: "Ꜩ",
  tf: "ꝷ",
  ts: "ʦ",
  ue: "ᵫ",
  uo: "ꭣ",
};

/** Characters in the results of the table above that look alike, or are read as each other. */
const lookalikes: Readonly<Record<string, string>> = {
  ...{ "0": "o", "1": "l", "3": "e", "4": "a", "5": "s", "7": "t", $: "s" },
  ...{ i: "l", "|": "l", m: "rn" },
};

const latinOf = new Map(
  Object.entries(confusables).flatMap(([latin, letters]) => [...letters].map((letter) => [letter, latin])),
);

/**
 * Names with equal skeletons can be mistaken for each other. Follows UTS 39, and also folds case and accents.
 */
export function skeletonOf(name: string): string {
  const letters = name
    .normalize("NFKC")
    .normalize("NFD")
    .replace(/\p{Default_Ignorable_Code_Point}|\p{White_Space}|\p{P}|[\u0300-\u036f]/gu, "");
  const drawn = [...letters].map((letter) => latinOf.get(letter) ?? letter).join("");
  return [...drawn.toLowerCase()].map((letter) => lookalikes[letter] ?? letter).join("");
}

/**
 * The app's name, and its words for everyone, for you and for what it knows of a person, in its languages. The files of the
 * languages, to which a test compares these, are fetched later than names are shown.
 */
const appWords = [
  ...["Warren", "Everyone", "Everybody", "All of us", "Someone", "You"],
  ...["Verified", "Made the link you used", "Blocked"],
  ...["所有人", "有人", "你", "已核对", "你打开的链接", "已屏蔽"],
  ...["已核對", "你開啟的連結", "已封鎖"],
].map(skeletonOf);
/** "You" is a part of many names, and 你 of many nicknames. */
const isShort = (word: string): boolean => word.length < (/^\p{Script=Han}/u.test(word) ? 2 : 6);
const shortWords: ReadonlySet<string> = new Set(appWords.filter(isShort));
const longWords = appWords.filter((word) => !isShort(word));

/** Whether a name contains words of the app: a short one as a word of its own, another one anywhere. */
function speaksForApp(name: string, skeleton: string): boolean {
  if (longWords.some((word) => skeleton.includes(word))) return true;
  const words = name.normalize("NFKC").split(/[\p{White_Space}\p{P}\p{S}]+/u);
  return shortWords.has(skeleton) || words.some((word) => shortWords.has(skeletonOf(word)));
}

/** Check marks, shields and locks, which resemble the app's own marks beside a name. */
const looksLikeMark =
  /[\u221A\u2611\u2705\u2713\u2714\u{1F510}\u{1F512}\u{1F50F}\u{1F5F8}\u{1F5F9}\u{1F6E1}\u{1F197}]/u;

/** Characters that resemble the separator before an appended id. */
const looksLikeId = /[\u00B7\u0387\u2022\u2027\u2219\u22C5\u30FB\uFF65]\s*[0-9a-f]{4}\s*$/iu;

interface NameTraits {
  readonly skeleton: string;
  /** Whether it could be mistaken for what the app says itself. */
  readonly misleads: boolean;
}

/** Names are shown in every row and again with every message, and change seldom. */
const knownTraits = new Map<string, NameTraits>();
const knownMax = 2_000;

function traitsOf(name: string): NameTraits {
  const known = knownTraits.get(name);
  if (known !== undefined) return known;
  const skeleton = skeletonOf(name);
  const misleads = speaksForApp(name, skeleton) || looksLikeMark.test(name) || looksLikeId.test(name);
  // Others choose their names, as many as they like.
  if (knownTraits.size >= knownMax) knownTraits.clear();
  knownTraits.set(name, { skeleton, misleads });
  return { skeleton, misleads };
}

type Contacts = Readonly<Record<ClientId, Contact | undefined>>;

const firstOnes = new WeakMap<Contacts, ReadonlyMap<string, ClientId>>();

/** Who may use a name without an id: a verified contact first, then the contact met first. */
function firstByName(contacts: Contacts): ReadonlyMap<string, ClientId> {
  const known = firstOnes.get(contacts);
  if (known) return known;
  const rank = ({ trustLevel }: Contact): number => (trustLevel === "verified" ? 0 : 1);
  const firsts = new Map<string, Contact>();
  for (const contact of Object.values(contacts)) {
    if (contact === undefined) continue;
    const { skeleton } = traitsOf(contact.name);
    const first = firsts.get(skeleton);
    const isBefore =
      first === undefined ||
      (rank(contact) - rank(first) ||
        contact.createdAt - first.createdAt ||
        (contact.clientId < first.clientId ? -1 : 1)) < 0;
    if (isBefore) firsts.set(skeleton, contact);
  }
  const ids = new Map([...firsts].map(([skeleton, { clientId }]) => [skeleton, clientId]));
  firstOnes.set(contacts, ids);
  return ids;
}

/** No-break spaces keep the id on the line of a name's last word. */
const beforeId = "\u00A0·\u00A0";

/**
 * The displayed name of a person: their current name, otherwise the last known one. The start of their id is
 * appended if the name could be mistaken for the app's words or marks, for our own name, or for another known
 * contact.
 */
export function shownName(
  id: ClientId,
  contacts: Contacts,
  ownName: string,
  name = contacts[id]?.name,
): string | undefined {
  if (name === undefined || isStarter(id)) return name;
  const { skeleton, misleads } = traitsOf(name);
  const first = firstByName(contacts).get(skeleton);
  const isTaken = first !== undefined && first !== id;
  const isOurs = contacts[id]?.trustLevel !== "verified" && skeleton === traitsOf(ownName).skeleton;
  return isTaken || isOurs || misleads ? `${name}${beforeId}${id.slice(0, 4)}` : name;
}

/** The first word of a name, with any appended id. */
export function firstNameOf(name: string): string {
  const [, words = name, id = ""] = /^(.*?)(\u00A0·\u00A0[0-9a-f]{4})?$/su.exec(name) ?? [];
  return `${words.trim().split(/\s+/u)[0] ?? words}${id}`;
}
