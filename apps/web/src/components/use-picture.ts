import type { FileDescription } from "@warren/protocol";
import { useEffect, useState } from "react";
import { type SniffedPicture, sniffedBytes, sniffPicture } from "./picture-type.ts";
import { useWarren } from "./warren-context.tsx";

/** A picture that may be drawn, with its address while the component lives. */
export type Picture =
  | { readonly status: "loading" }
  /** Not here, or not a picture that may be drawn. */
  | { readonly status: "none" }
  | ({ readonly status: "ready"; readonly url: string } & SniffedPicture);

const loading: Picture = { status: "loading" };
const none: Picture = { status: "none" };

const pictureName = /\.(png|jpe?g|webp|gif)$/i;

/** Whether a file claims to be a picture that may be drawn; its bytes decide. */
export function claimsPicture({
  mimeType,
  fileName,
}: Pick<FileDescription, "mimeType" | "fileName">): boolean {
  return /^image\/(png|jpeg|webp|gif)$/.test(mimeType) || pictureName.test(fileName);
}

/** Opens a complete file, by its id or as it is, as a picture. Its type comes from its bytes, so nothing else is ever drawn. */
export function usePicture(of: string | File): Picture {
  const { files } = useWarren();
  const [picture, setPicture] = useState<Picture>(loading);
  useEffect(() => {
    let url: string | undefined;
    let isCurrent = true;
    const open = async (): Promise<void> => {
      const file = typeof of === "string" ? await files.open(of) : of;
      const sniffed = file && sniffPicture(new Uint8Array(await file.slice(0, sniffedBytes).arrayBuffer()));
      if (!isCurrent) return;
      if (!file || !sniffed) return setPicture(none);
      url = URL.createObjectURL(new Blob([file], { type: sniffed.type }));
      setPicture({ status: "ready", url, ...sniffed });
    };
    open().catch(() => isCurrent && setPicture(none));
    return () => {
      isCurrent = false;
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [files, of]);
  return picture;
}
