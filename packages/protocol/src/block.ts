import type { Decoded } from "./decode.ts";
import { WarrenError } from "./errors.ts";
import { limits } from "./limits.ts";

/** The size of a block's header: u32 chunk index, u16 block index, u8 flags, all big-endian. */
export const blockHeaderBytes = 7;
/** The size of the SHA-256 digest behind a chunk's last block. */
export const chunkDigestBytes = 32;

const flagBits = { last: 1, deflate: 2, digest: 4, zstd: 8 } as const;
const compressionFlags = flagBits.deflate | flagBits.zstd;
const knownFlags = flagBits.last | flagBits.digest | compressionFlags;

/** How a chunk is sent: uncompressed, as one raw deflate stream, or as one zstd frame. */
export type ChunkEncoding = "plain" | "deflate" | "zstd";

/** A part of a chunk: one binary message on a transfer channel. */
export interface Block {
  /** From 0. */
  readonly chunk: number;
  /** Within the chunk, from 0. */
  readonly block: number;
  /** Whether this is the chunk's last block. */
  readonly last: boolean;
  /** The same on each block of a chunk. */
  readonly encoding: ChunkEncoding;
  /** The chunk digest, 32 bytes over the chunk's number and its uncompressed bytes; only on the last block. */
  readonly digest: Uint8Array | null;
  /** The payload: a view of the message. */
  readonly data: Uint8Array;
}

/** The size of a block's message in bytes. */
function messageBytesOf({ data, digest }: Block): number {
  return blockHeaderBytes + data.byteLength + (digest?.byteLength ?? 0);
}

/**
 * Encodes a block as one message.
 * @param buffer receives the message and must be large enough; reusing it saves an allocation per block.
 * @returns the message: a view of the buffer.
 */
export function encodeBlock(
  block: Block,
  buffer: ArrayBuffer = new ArrayBuffer(messageBytesOf(block)),
): Uint8Array<ArrayBuffer> {
  const message = new Uint8Array(buffer, 0, messageBytesOf(block));
  const view = new DataView(buffer);
  view.setUint32(0, block.chunk);
  view.setUint16(4, block.block);
  view.setUint8(
    6,
    (block.last ? flagBits.last : 0) |
      (block.encoding === "plain" ? 0 : flagBits[block.encoding]) |
      (block.digest ? flagBits.digest : 0),
  );
  message.set(block.data, blockHeaderBytes);
  if (block.digest) message.set(block.digest, blockHeaderBytes + block.data.byteLength);
  return message;
}

/**
 * Reads a binary message of a transfer channel.
 * @param chunkCount the number of chunks in the file; blocks of later chunks are rejected.
 * @returns the block, or `block-invalid`. Its data and digest are views of the message, not copies.
 */
export function decodeBlock(message: Uint8Array, chunkCount: number): Decoded<Block> {
  if (message.byteLength <= blockHeaderBytes) return invalid("no data");
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const chunk = view.getUint32(0);
  const flags = view.getUint8(6);
  if (chunk >= chunkCount) return invalid("chunk out of range");
  if ((flags & ~knownFlags) !== 0) return invalid("unknown flag");
  const compression = flags & compressionFlags;
  if (compression === compressionFlags) return invalid("two compressions");
  const last = (flags & flagBits.last) !== 0;
  const hasDigest = (flags & flagBits.digest) !== 0;
  if (hasDigest && !last) return invalid("digest before the last block");
  const dataEnd = message.byteLength - (hasDigest ? chunkDigestBytes : 0);
  if (dataEnd <= blockHeaderBytes) return invalid("no data");
  if (dataEnd - blockHeaderBytes > limits.blockSizeMax) return invalid("too much data");
  return {
    ok: true,
    value: {
      chunk,
      block: view.getUint16(4),
      last,
      encoding: compression === 0 ? "plain" : compression === flagBits.zstd ? "zstd" : "deflate",
      digest: hasDigest ? message.subarray(dataEnd) : null,
      data: message.subarray(blockHeaderBytes, dataEnd),
    },
  };
}

function invalid(issue: string): Decoded<never> {
  return { ok: false, error: new WarrenError("block-invalid", { issue }) };
}
