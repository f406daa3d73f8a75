import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from "react";

/** Announces a sentence to screen readers: politely for milestones, assertively for urgent news. */
export interface Announcer {
  polite(sentence: string): void;
  assertive(sentence: string): void;
}

const AnnouncerContext = createContext<Announcer | undefined>(undefined);

interface Spoken {
  readonly id: number;
  readonly sentence: string;
}

/** Holds the two live regions. Mounted once around the app, outside everything that a dialog hides. */
export function AnnouncerProvider({ children }: { readonly children: ReactNode }) {
  const [polite, setPolite] = useState<Spoken>();
  const [assertive, setAssertive] = useState<Spoken>();
  const lastId = useRef(0);

  // A new key creates a new node, so that a repeated sentence is announced again.
  const spoken = useCallback((sentence: string): Spoken => ({ id: ++lastId.current, sentence }), []);
  const announcer = useMemo<Announcer>(
    () => ({
      polite: (sentence) => setPolite(spoken(sentence)),
      assertive: (sentence) => setAssertive(spoken(sentence)),
    }),
    [spoken],
  );

  return (
    <AnnouncerContext value={announcer}>
      {children}
      <div role="status" aria-live="polite" className="sr-only">
        {polite !== undefined && <p key={polite.id}>{polite.sentence}</p>}
      </div>
      <div role="alert" aria-live="assertive" className="sr-only">
        {assertive !== undefined && <p key={assertive.id}>{assertive.sentence}</p>}
      </div>
    </AnnouncerContext>
  );
}

/** The announcer of the surrounding app; throws outside an {@link AnnouncerProvider}. */
export function useAnnouncer(): Announcer {
  const announcer = useContext(AnnouncerContext);
  if (announcer === undefined) throw new Error("useAnnouncer needs an AnnouncerProvider around it");
  return announcer;
}
