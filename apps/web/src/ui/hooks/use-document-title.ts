import { useEffect } from "react";

/** Sets the document's title while mounted, then restores the previous one. */
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
