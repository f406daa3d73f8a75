import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";

const pieceBytes = 1024 * 1024;

/** A file for sending. */
export interface MadeFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** Writes a file of incompressible bytes, or of JSON log lines like a server's. */
export async function makeFile(path: string, kind: "random" | "json", sizeBytes: number): Promise<MadeFile> {
  const hash = createHash("sha256");
  const stream = createWriteStream(path);
  for (let left = sizeBytes; left > 0; left -= pieceBytes) {
    const piece = (kind === "random" ? randomBytes(pieceBytes) : logLines(pieceBytes)).subarray(0, left);
    hash.update(piece);
    if (!stream.write(piece)) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "finish");
  return { path, sizeBytes, sha256: hash.digest("hex") };
}

function logLines(lengthBytes: number): Buffer {
  let text = "";
  while (text.length < lengthBytes) {
    const line = {
      time: new Date(1.7e12 + Math.floor(Math.random() * 1e10)).toISOString(),
      level: ["debug", "info", "info", "info", "warn"][Math.floor(Math.random() * 5)],
      request: crypto.randomUUID(),
      path: `/api/v2/items/${Math.floor(Math.random() * 1e5)}`,
      status: [200, 200, 200, 304, 404][Math.floor(Math.random() * 5)],
      durationMs: Math.round(Math.random() * 2e5) / 1e3,
    };
    text += `${JSON.stringify(line)}\n`;
  }
  return Buffer.from(text.slice(0, lengthBytes));
}
