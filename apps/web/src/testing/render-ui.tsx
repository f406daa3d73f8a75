import { render } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { TooltipProvider } from "../ui/overlays/tooltip.tsx";
import { LiveRegions } from "../wiring/live-regions.tsx";
import "./longer-timeout.ts";

/** What a test needs besides `screen`. */
interface RenderedUi {
  readonly user: UserEvent;
  readonly rerender: (children: ReactNode) => void;
  readonly unmount: () => void;
}

function Page({ children }: { readonly children: ReactNode }) {
  return (
    <TooltipProvider>
      {children}
      <LiveRegions />
    </TooltipProvider>
  );
}

/** Renders components beside the live regions of the app, with a simulated user. */
export function renderUi(children: ReactNode): RenderedUi {
  const { rerender, unmount } = render(children, { wrapper: Page });
  return { user: userEvent.setup(), rerender, unmount };
}
