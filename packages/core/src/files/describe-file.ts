import {
  chunkCountOf,
  decodeValue,
  type FileDescription,
  fileDescriptionSchema,
  limits,
  originalOf,
  WarrenError,
} from "@warren/protocol";
import { randomUuid } from "../shared/ids.ts";

/** The prefix of our files' ids. Received files, and those stored by earlier versions, keep the id they came with. */
const fidPrefix = "file-";

/**
 * Describes a picked file under a new id, without reading it.
 * @param chunkSizeBytes doubled until the file has no more chunks than the protocol allows.
 * @throws WarrenError `file-too-large` when it has too many chunks even at the largest size.
 */
export function describeFile(file: File, chunkSizeBytes: number): FileDescription {
  const name = file.name.slice(0, limits.rawNameLength);
  const originalName = originalOf(name);
  const decoded = decodeValue(fileDescriptionSchema, {
    fid: `${fidPrefix}${randomUuid()}`,
    fileName: name,
    ...(originalName !== undefined && { originalName }),
    fileSize: file.size,
    mimeType: file.type,
    lastModified: Math.max(0, Math.trunc(file.lastModified)),
    chunkSize: fittingChunkSize(file.size, chunkSizeBytes),
  });
  if (!decoded.ok) throw decoded.error;
  return decoded.value;
}

function fittingChunkSize(fileSizeBytes: number, chunkSizeBytes: number): number {
  let size = chunkSizeBytes;
  while (size < limits.chunkSizeMax && chunkCountOf(fileSizeBytes, size) > limits.chunksPerFile)
    size = Math.min(size * 2, limits.chunkSizeMax);
  if (chunkCountOf(fileSizeBytes, size) > limits.chunksPerFile)
    throw new WarrenError("file-too-large", {
      sizeBytes: fileSizeBytes,
      limitBytes: limits.chunksPerFile * limits.chunkSizeMax,
    });
  return size;
}
