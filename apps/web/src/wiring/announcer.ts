import type { ReadableStore } from "@warren/core";
import { createStore } from "zustand/vanilla";

/** What happens within this time is one moment. */
const momentMs = 1_000;

/** The sentences of the last moment that had any. */
interface Sentences {
  /** Grows, so that a repeated sentence is another one. */
  readonly moment: number;
  readonly sentences: readonly string[];
}

/** What screen readers are told; what is urgent interrupts them. */
type Said = Readonly<Record<"polite" | "urgent", Sentences>>;

const noSentences: Sentences = { moment: 0, sentences: [] };

/** Events that are told in one sentence. */
interface Kind {
  readonly urgency: keyof Said;
  sentence(items: readonly never[]): string;
}

/** Announces something that happened to a subject. */
type Announce<Item> = (subject: string, item: Item) => void;

/**
 * Tells screen readers what happens: it gathers the events of a moment and tells each kind in one sentence, so that twelve
 * files are not sixty sentences. Of one subject only the last event of a moment is told: a file that was offered, started
 * and completed within it is complete.
 */
export class Announcer {
  readonly #said = createStore<Said>(() => ({ polite: noSentences, urgent: noSentences }));
  /** The last event of each subject in this moment. */
  readonly #events = new Map<string, { readonly kind: Kind; readonly item: unknown }>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  get said(): ReadableStore<Said> {
    return this.#said;
  }

  /**
   * Adds a kind of event.
   * @param sentence says all that happened in a moment at once.
   */
  kind<Item>(sentence: (items: readonly Item[]) => string, urgency: keyof Said = "polite"): Announce<Item> {
    const kind = { urgency, sentence };
    return (subject, item) => {
      this.#events.delete(subject); // the newest event comes last
      this.#events.set(subject, { kind, item });
      this.#timer ??= setTimeout(() => this.endMoment(), momentMs);
    };
  }

  /** Tells what happened in this moment; the next event begins another. */
  endMoment(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const items = new Map<Kind, unknown[]>();
    for (const { kind, item } of this.#events.values()) items.set(kind, [...(items.get(kind) ?? []), item]);
    this.#events.clear();
    for (const urgency of ["polite", "urgent"] as const) {
      const kinds = [...items].filter(([kind]) => kind.urgency === urgency);
      // What was said before stays: some screen readers also read a region that is emptied.
      if (kinds.length === 0) continue;
      const { moment } = this.#said.getState()[urgency];
      // A kind gets the items that were told with it.
      const sentences = kinds.map(([kind, told]) => kind.sentence(told as never[]));
      this.#said.setState({ [urgency]: { moment: moment + 1, sentences } });
    }
  }
}

/** The announcer of this page. */
export const announcer = new Announcer();
