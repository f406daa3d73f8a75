import { type ComponentProps, createContext, use } from "react";
import { IconButton } from "../../ui/icon-button.tsx";

/** Whether the actions of a message are a sheet, where there is room for their words. */
export const InSheet = createContext(false);

type StripButtonProps = Omit<ComponentProps<typeof IconButton>, "size" | "iconSize" | "tooltipSide">;

/** A button of the strip of actions at a message, or a row of their sheet. */
export function StripButton(props: StripButtonProps) {
  const inSheet = use(InSheet);
  return inSheet ? (
    <SheetRow {...props} />
  ) : (
    <IconButton {...props} size="sm" iconSize={16} tooltipSide="top" />
  );
}

function SheetRow({ icon: Glyph, label, onClick }: StripButtonProps) {
  return (
    <button
      type="button"
      className="flex h-12 w-full items-center gap-4 rounded-row px-3 text-left text-body active:bg-hover"
      onClick={onClick}
    >
      <Glyph size={20} className="text-text-2" />
      {label}
    </button>
  );
}
