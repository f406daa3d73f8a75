/** The bytes of each character in an encoding of one or two bytes, as its decoder has them. */
const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

function tableOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  let table = tables.get(encoding);
  if (table !== undefined) return table;
  const decoder = new TextDecoder(encoding);
  const added = new Map<string, readonly number[]>();
  const add = (bytes: readonly number[]): void => {
    const text = decoder.decode(Uint8Array.from(bytes));
    if ([...text].length === 1 && text !== "\uFFFD" && !added.has(text)) added.set(text, bytes);
  };
  for (let first = 0; first < 0x100; first++) add([first]);
  for (let lead = 0x81; lead < 0xff; lead++) {
    // Encodings of single bytes have no pairs: these decode to two characters.
    for (let trail = 0x40; trail < 0xff; trail++) add([lead, trail]);
  }
  table = added;
  tables.set(encoding, table);
  return table;
}

/** Encodes a text; browsers only decode encodings other than UTF-8. Throws for a character that an encoding lacks. */
export function encodeText(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  if (encoding === "utf-8") return new TextEncoder().encode(text);
  if (encoding.startsWith("utf-16")) {
    const view = new DataView(new ArrayBuffer(2 * text.length));
    for (let at = 0; at < text.length; at++)
      view.setUint16(2 * at, text.charCodeAt(at), encoding === "utf-16le");
    return new Uint8Array(view.buffer);
  }
  if (encoding === "iso-2022-jp") return encodeIso2022(text);
  const table = tableOf(encoding);
  return Uint8Array.from(
    Array.from(text, (character) => {
      const bytes = table.get(character);
      if (bytes === undefined) throw new Error(`${encoding} has no ${character}`);
      return bytes;
    }).flat(),
  );
}

/** ISO-2022-JP has the characters of EUC-JP without their highest bits, each run of them between escape sequences. */
function encodeIso2022(text: string): Uint8Array<ArrayBuffer> {
  const runs = text.match(/[\0-\x7F]+|[^\0-\x7F]+/g) ?? [];
  const bytes = runs.map((run) => {
    const own = [...encodeText(run, "euc-jp")];
    if (run.charCodeAt(0) < 0x80) return own;
    return [0x1b, 0x24, 0x42, ...own.map((byte) => byte & 0x7f), 0x1b, 0x28, 0x42];
  });
  return Uint8Array.from(bytes.flat());
}
