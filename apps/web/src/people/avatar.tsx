import type { OnlineStatus } from "@warren/core";
import { type CSSProperties, useState } from "react";
import { cx } from "../ui/cx.ts";
import { hueOf, initials } from "./initials.ts";
import { StatusDot } from "./status-dot.tsx";

interface AvatarProps {
  /** The id of the person; determines the hue. */
  readonly id: string;
  readonly name: string;
  /** An image address that is safe to load; without one, or if it fails, initials are drawn. */
  readonly src?: string | null | undefined;
  /** Edge in px: 28, 36, 40, 44, 56 in the design. */
  readonly size?: number;
  readonly status?: OnlineStatus | undefined;
  readonly className?: string | undefined;
}

/**
 * A person's picture or initials in a circle. Decorative: the name is always shown beside it, so it has no
 * accessible name.
 */
export function Avatar({ id, name, src, size = 40, status, className }: AvatarProps) {
  const [failedSrc, setFailedSrc] = useState<string>();
  const style: CSSProperties & { "--hue": number } = {
    width: size,
    height: size,
    fontSize: Math.max(11, Math.round(size * 0.36)),
    "--hue": hueOf(id),
  };
  return (
    <span aria-hidden="true" className={cx("relative inline-flex shrink-0", className)}>
      <span
        style={style}
        className="avatar-tint flex select-none items-center justify-center overflow-hidden rounded-full font-semibold leading-none tracking-normal"
      >
        {src && src !== failedSrc ? (
          <img
            src={src}
            alt=""
            draggable={false}
            className="size-full object-cover"
            onError={() => setFailedSrc(src)}
          />
        ) : (
          initials(name)
        )}
      </span>
      {status !== undefined && (
        <StatusDot
          status={status}
          className={cx("absolute", size < 48 ? "-right-0.5 -bottom-0.5" : "right-0 bottom-0")}
        />
      )}
    </span>
  );
}
