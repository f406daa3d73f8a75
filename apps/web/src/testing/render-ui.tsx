import { render } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { LiveRegions } from "../ui/live-regions.tsx";
import { loadAllOnDemand } from "../ui/on-demand.tsx";
import "../ui/overlays.tsx";
import "../ui/toaster.tsx";
import "./be-patient.ts";

// As in a page whose lazy parts have loaded.
await loadAllOnDemand();

/** What a test needs besides `screen`. */
interface RenderedUi {
  readonly user: UserEvent;
  readonly rerender: (children: ReactNode) => void;
  readonly unmount: () => void;
}

function Page({ children }: { readonly children: ReactNode }) {
  return (
    <>
      {children}
      <LiveRegions />
    </>
  );
}

/** Renders components beside the live regions of the app, with a simulated user. */
export function renderUi(children: ReactNode): RenderedUi {
  const { rerender, unmount } = render(children, { wrapper: Page });
  return { user: userEvent.setup(), rerender, unmount };
}
