import { useRef } from "react";
import { pressEscape } from "./close-on-escape.ts";
import { useBackGesture } from "./use-back-gesture.ts";

/** Inside a layer, as long as it is open: Back closes it as Escape does. */
export function BackGesture() {
  const mark = useRef<HTMLSpanElement>(null);
  useBackGesture(() => {
    if (mark.current) pressEscape(mark.current);
  });
  return <span ref={mark} hidden />;
}
