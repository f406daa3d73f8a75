import { WarrenError } from "@warren/protocol";
import type { KeyValueStorage } from "../ports/key-value-storage.ts";
import { readJson } from "../shared/read-json.ts";
import { createStore, type ReadableStore, type WritableStore } from "../shared/store.ts";
import { defaultOptions, isOptionName, type OptionName, type Options, optionTable } from "./options.ts";
import { type DroppedOption, readOptions } from "./read-options.ts";

/** Where the options are kept. */
export const optionsKey = "app_options";

/** Every option of this browser, kept in storage. */
export class Settings {
  readonly store: ReadableStore<Options>;
  /** What storage held when it was read and could not be used; it is at its default. */
  readonly dropped: readonly DroppedOption[];
  readonly #store: WritableStore<Options>;
  readonly #storage: KeyValueStorage;

  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
    const { options, dropped } = this.#read();
    this.dropped = dropped;
    this.#store = createStore(options);
    this.store = this.#store;
  }

  /** The options as they are now. */
  get(): Options {
    return this.#store.getState();
  }

  /**
   * Sets one option.
   * @throws WarrenError `frame-invalid` when the value is out of its range or of a wrong type; nothing changes then.
   */
  set<Name extends OptionName>(name: Name, value: Options[Name]): void {
    this.update({ [name]: value });
  }

  /**
   * Sets several options at once.
   * @throws WarrenError `frame-invalid` as {@link set} does; nothing changes then.
   */
  update(change: Partial<Options>): void {
    for (const [name, value] of Object.entries(change)) {
      if (!isOptionName(name) || !optionTable[name].schema.safeParse(value).success)
        throw new WarrenError("frame-invalid", { issue: name });
    }
    this.#replace({ ...this.get(), ...change });
  }

  /** Sets one option, or all, back to default. */
  reset(name?: OptionName): void {
    this.#replace(name ? { ...this.get(), [name]: defaultOptions[name] } : defaultOptions);
  }

  /** Takes over what storage holds now, because another tab has written it; repaired as at the start. */
  reread(): void {
    this.#store.setState(this.#read().options, true);
  }

  #read(): { readonly options: Options; readonly dropped: readonly DroppedOption[] } {
    const { options, dropped } = readOptions(readJson(this.#storage, optionsKey));
    return { options: { ...defaultOptions, ...options }, dropped };
  }

  #replace(options: Options): void {
    this.#store.setState(options, true);
    this.#storage.write(optionsKey, JSON.stringify(options));
  }
}
