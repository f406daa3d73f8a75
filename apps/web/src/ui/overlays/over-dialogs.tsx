import { createContext, type ReactNode, type RefCallback, use, useState } from "react";
import { createPortal } from "react-dom";

/** The last elements of the open dialogs, the topmost last. */
const LayersContext = createContext<readonly HTMLElement[]>([]);
const LayerRefContext = createContext<RefCallback<HTMLElement>>(() => {});

/** Around everything that is shown over dialogs, and the dialogs. */
export function OverDialogsProvider({ children }: { readonly children: ReactNode }) {
  const [layers, setLayers] = useState<readonly HTMLElement[]>([]);
  const [ref] = useState(
    (): RefCallback<HTMLElement> => (element) => {
      if (element === null) return;
      setLayers((all) => [...all, element]);
      return () => setLayers((all) => all.filter((each) => each !== element));
    },
  );
  return (
    <LayerRefContext value={ref}>
      <LayersContext value={layers}>{children}</LayersContext>
    </LayerRefContext>
  );
}

/** The last element of a dialog. */
export function DialogLayer() {
  return <div ref={use(LayerRefContext)} />;
}

export function useIsDialogOpen(): boolean {
  return use(LayersContext).length > 0;
}

/**
 * Shows something fixed over every page and every dialog. A modal dialog hides all that is outside of it from the Tab key
 * and from screen readers, so this is inside of the topmost one.
 */
export function OverDialogs({ children }: { readonly children: ReactNode }) {
  const topmost = use(LayersContext).at(-1);
  return topmost === undefined ? children : createPortal(children, topmost);
}
