import { everyone } from "@warren/core";
import type { ReactNode } from "react";
import { Loaded, onDemand } from "../ui/on-demand.tsx";
import { ContextMenu, type ContextTarget } from "../ui/overlays.tsx";
import { clientNameId } from "./client-row.tsx";

const clientMenu = onDemand(() => import("./client-menu.tsx"));

/** The context menu of a row in the people list. */
export function ClientContextMenu({ children }: { readonly children: ReactNode }) {
  return (
    <ContextMenu
      find={findClient}
      code={clientMenu}
      items={(id) => (
        <Loaded code={clientMenu}>
          {({ ClientMenuItems, EveryoneMenuItems }) =>
            id === everyone ? <EveryoneMenuItems /> : <ClientMenuItems clientId={id} place="list" />
          }
        </Loaded>
      )}
    >
      {children}
    </ContextMenu>
  );
}

function findClient(pressed: Element): ContextTarget | null {
  const anchor = pressed.closest<HTMLElement>('[role="option"]');
  const id = anchor?.closest<HTMLElement>("[data-id]")?.dataset.id;
  return anchor && id !== undefined ? { id, anchor, labelledBy: clientNameId(id) } : null;
}
