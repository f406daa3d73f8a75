import { useLayoutEffect } from "react";
import { useOption } from "../../wiring/warren-context.ts";

/**
 * The background picture behind the app. Surfaces marked `picture-window` let it through; surfaces with text
 * keep their own background (`on-picture`), so that text stays readable on any picture at any strength.
 */
export function BackgroundPicture() {
  const backgroundImage = useOption("backgroundImage");
  const backgroundImageOpacity = useOption("backgroundImageOpacity");
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
