import { useEffect, useState } from "react";
import { useWarren } from "../ui/warren-context.tsx";
import { judgePicture } from "./picture-size.ts";
import type { SniffedPicture } from "./picture-type.ts";

/** A picture that may be rendered; its address is valid while the component is mounted. */
export type Picture =
  | { readonly status: "loading" }
  /** Not in this browser, or not a picture that may be rendered. */
  | { readonly status: "none" }
  /** It has more pixels than we decode. */
  | { readonly status: "too-large" }
  | ({ readonly status: "ready"; readonly url: string } & SniffedPicture);

const loading: Picture = { status: "loading" };
const none: Picture = { status: "none" };

/**
 * Opens a complete file, given by id or as a File, as a picture. Its type is detected from its bytes, so
 * nothing else is ever rendered.
 */
export function usePicture(of: string | File): Picture {
  const { files } = useWarren();
  const [picture, setPicture] = useState<Picture>(loading);
  useEffect(() => {
    let url: string | undefined;
    let isCurrent = true;
    const open = async (): Promise<void> => {
      const file = typeof of === "string" ? await files.open(of) : of;
      const judged = file && (await judgePicture(file));
      if (!isCurrent) return;
      if (!judged) return setPicture(none);
      if (judged.status !== "drawable") return setPicture(judged);
      url = URL.createObjectURL(new Blob([file], { type: judged.type }));
      setPicture({ ...judged, status: "ready", url });
    };
    open().catch(() => isCurrent && setPicture(none));
    return () => {
      isCurrent = false;
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [files, of]);
  return picture;
}
