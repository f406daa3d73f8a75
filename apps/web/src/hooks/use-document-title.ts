import { useEffect } from "react";

/** Sets the document's title while mounted, then puts the former one back. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    const former = document.title;
    document.title = title;
    return () => {
      document.title = former;
    };
  }, [title]);
}
