import { announcer } from "./announcer.ts";
import { useStore } from "./warren-context.ts";

/** Where screen readers hear the announcer. Mounted once, outside everything that a dialog hides. */
export function LiveRegions() {
  const { polite, urgent } = useStore(announcer.said);
  return (
    <>
      <div role="status" aria-live="polite" className="sr-only">
        {/* A new key creates a new node, so that a repeated sentence is read again. */}
        {polite.sentences.map((sentence) => (
          <p key={`${polite.moment} ${sentence}`}>{sentence}</p>
        ))}
      </div>
      <div role="alert" aria-live="assertive" className="sr-only">
        {urgent.sentences.map((sentence) => (
          <p key={`${urgent.moment} ${sentence}`}>{sentence}</p>
        ))}
      </div>
    </>
  );
}
