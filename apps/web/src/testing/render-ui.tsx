import { render } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { loadAllOnDemand } from "../ui/on-demand.tsx";
import { AnnouncerProvider } from "../ui/use-announcer.tsx";
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

/** Renders components inside the providers of the app, with a simulated user. */
export function renderUi(children: ReactNode): RenderedUi {
  const { rerender, unmount } = render(children, { wrapper: AnnouncerProvider });
  return { user: userEvent.setup(), rerender, unmount };
}
