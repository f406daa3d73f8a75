import { Inflate } from "fflate";

/**
 * Inflates raw deflate without the platform's help, slice by slice, so that `take` can stop it by throwing.
 * @throws the error `take` throws, or the library's own error when the data is not deflate or is truncated.
 */
export function inflateSlices(
  deflated: Uint8Array,
  sliceBytes: number,
  take: (piece: Uint8Array) => void,
): void {
  const inflate = new Inflate(take);
  for (let start = 0; start < deflated.byteLength; start += sliceBytes) {
    const end = start + sliceBytes;
    inflate.push(deflated.subarray(start, end), end >= deflated.byteLength);
  }
}
