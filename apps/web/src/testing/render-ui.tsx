import { render } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { loadAllOnDemand } from "../ui/on-demand.tsx";
import { AnnouncerProvider } from "../ui/use-announcer.tsx";
import "../ui/overlays.ts";
import "../ui/toaster.tsx";
import "./be-patient.ts";

// As in a page that has been open for a moment.
await loadAllOnDemand();

/** What a test does with what it has rendered; it looks at it through `screen`. */
interface RenderedUi {
  readonly user: UserEvent;
  readonly rerender: (children: ReactNode) => void;
  readonly unmount: () => void;
}

/** Renders components inside the providers that every screen has, with a user to act on them. */
export function renderUi(children: ReactNode): RenderedUi {
  const { rerender, unmount } = render(children, { wrapper: AnnouncerProvider });
  return { user: userEvent.setup(), rerender, unmount };
}
