import { useEffect } from "react";

/** Sets the document's title while mounted, then puts the former one back. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    const former = document.title;
    return () => {
      document.title = former;
    };
  }, []);
  useEffect(() => {
    document.title = title;
  }, [title]);
}
