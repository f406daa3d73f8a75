import { MenuCheck } from "../ui/overlays/menu.tsx";
import type { ColumnVisibility } from "./use-column-visibility.ts";

/** Menu items that show or hide parts of a list. */
export function ColumnVisibilityItems<Id extends string>({
  all,
  hidden,
  onHide,
  labelOf,
}: ColumnVisibility<Id> & { readonly all: readonly Id[]; readonly labelOf: (id: Id) => string }) {
  return all.map((id) => (
    <MenuCheck
      key={id}
      checked={!hidden.includes(id)}
      onChange={(isShown) => {
        const others = hidden.filter((other) => other !== id);
        onHide(isShown ? others : [...others, id]);
      }}
    >
      {labelOf(id)}
    </MenuCheck>
  ));
}
