import { type ComponentType, createContext, type ReactNode, use } from "react";
import type { Icon } from "./icons.ts";

export interface MenuItemProps {
  readonly icon?: Icon;
  readonly shortcut?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

export interface MenuChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly {
    readonly value: T;
    readonly label: string;
    readonly icon?: Icon;
    /** The language of the label, if it differs from the page's. */
    readonly lang?: string;
  }[];
  readonly onChange: (value: T) => void;
}

export interface MenuCheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}

/** The parts of a menu, rendered by the surrounding panel. */
export interface MenuParts {
  readonly Item: ComponentType<MenuItemProps>;
  readonly Choice: <T extends string>(props: MenuChoiceProps<T>) => ReactNode;
  readonly Check: ComponentType<MenuCheckProps>;
  readonly Separator: ComponentType;
}

/** Provided by the menu's panel, so that menu items do not depend on the panel's code. */
export const MenuPartsContext = createContext<MenuParts | null>(null);

/** The parts of the surrounding menu. */
export function useMenuParts(): MenuParts {
  const parts = use(MenuPartsContext);
  if (parts === null) throw new Error("the parts of a menu stand inside a Menu");
  return parts;
}
