import { cx } from "../../ui/cx.ts";
import type { FileCardView } from "./file-card-view.ts";

/**
 * A line whose parts, if they do not all fit, are left out as a whole: of a moving file the last ones, otherwise the words before
 * what has become of it.
 */
export const lineClass = ({ label, mark }: Pick<FileCardView, "label" | "mark">): string =>
  cx(
    "flex h-4 min-w-0 flex-1 items-center gap-x-3 overflow-hidden max-md:gap-x-2",
    label === "transferring" && "flex-wrap",
    label !== "transferring" && mark && "flex-row-reverse flex-wrap justify-end",
  );

export const tones = { plain: "text-text-2", warn: "text-warn", danger: "text-danger" };
