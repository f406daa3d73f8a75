import { useEffect, useState } from "react";
import { useWarren } from "../ui/warren-context.tsx";
import { judgePicture } from "./picture-size.ts";
import type { SniffedPicture } from "./picture-type.ts";

/** A picture that may be drawn, with its address while the component lives. */
export type Picture =
  | { readonly status: "loading" }
  /** Not here, or not a picture that may be drawn. */
  | { readonly status: "none" }
  /** Of more pixels than are decoded here. */
  | { readonly status: "too-large" }
  | ({ readonly status: "ready"; readonly url: string } & SniffedPicture);

const loading: Picture = { status: "loading" };
const none: Picture = { status: "none" };

/** Opens a complete file, by its id or as it is, as a picture. Its type comes from its bytes, so nothing else is ever drawn. */
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
