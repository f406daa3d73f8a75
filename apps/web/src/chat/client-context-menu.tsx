import { everyone } from "@warren/core";
import type { ReactNode } from "react";
import { ContextMenu, type ContextTarget } from "../ui/context-menu.tsx";
import { ClientMenuItems, EveryoneMenuItems } from "./client-menu.tsx";
import { clientNameId } from "./client-row.tsx";

/** The context menu of a row in the people list. */
export function ClientContextMenu({ children }: { readonly children: ReactNode }) {
  return (
    <ContextMenu
      find={findClient}
      items={(id) =>
        id === everyone ? <EveryoneMenuItems /> : <ClientMenuItems clientId={id} place="list" />
      }
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
