import { useLayoutEffect } from "react";
import { useOptions } from "../../ui/warren-context.tsx";

/**
 * The background picture behind the app. Grounds marked `picture-window` let it through; whatever has words there
 * keeps a ground of its own (`on-picture`), so that every text stays readable on any picture at any strength.
 */
export function GroundPicture() {
  const { backgroundImage, backgroundImageOpacity } = useOptions();
  const isShown = backgroundImage !== null;
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute("data-picture", isShown);
  }, [isShown]);
  if (backgroundImage === null) return null;
  return (
    <img
      src={backgroundImage}
      alt=""
      style={{ opacity: backgroundImageOpacity }}
      className="pointer-events-none fixed inset-0 -z-10 size-full object-cover"
    />
  );
}
