import { v, WarrenError } from "@warren/protocol";
import type { KeyValueStorage } from "../ports/key-value-storage.ts";
import { readJson } from "../shared/storage/read-json.ts";
import { createStore, type ReadableStore, type WritableStore } from "../shared/store.ts";
import { defaultOptions, isOptionName, type OptionName, type Options, optionTable } from "./options.ts";
import { type DroppedOption, readOptions, recordOf } from "./read-options.ts";

/** The storage key of the options, except the background picture. */
export const optionsKey = "app_options";
/** That of the background picture. It is long, and would be written again with every change of another option. */
export const pictureKey = "background_image";

/** The options of this browser, persisted in storage. */
export class Settings {
  readonly store: ReadableStore<Options>;
  /** The stored options that could not be used and are at their defaults. */
  readonly dropped: readonly DroppedOption[];
  readonly #store: WritableStore<Options>;
  readonly #storage: KeyValueStorage;
  #storedPicture: string | null = null;

  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
    const { options, dropped } = this.#read();
    this.dropped = dropped;
    this.#store = createStore(options);
    this.store = this.#store;
  }

  /** The current options. */
  get(): Options {
    return this.#store.getState();
  }

  /**
   * Sets one option.
   * @throws WarrenError `frame-invalid` when the value is out of range or has a wrong type; nothing changes then.
   */
  set<Name extends OptionName>(name: Name, value: Options[Name]): void {
    this.update({ [name]: value });
  }

  /**
   * Sets several options at once.
   * @throws WarrenError `frame-invalid` like {@link set}; nothing changes then.
   */
  update(change: Partial<Options>): void {
    for (const [name, value] of Object.entries(change)) {
      if (!isOptionName(name) || !v.is(optionTable[name].schema, value))
        throw new WarrenError("frame-invalid", { issue: name });
    }
    this.#replace({ ...this.get(), ...change });
  }

  /** Resets one option, or all, to its default. */
  reset(name?: OptionName): void {
    this.#replace(name ? { ...this.get(), [name]: defaultOptions[name] } : defaultOptions);
  }

  /** Adopts the stored options because another tab has changed them; repaired as at the start. */
  reread(): void {
    this.#store.setState(this.#read().options, true);
  }

  #read(): { readonly options: Options; readonly dropped: readonly DroppedOption[] } {
    const stored = recordOf(readJson(this.#storage, optionsKey));
    const picture = this.#storage.read(pictureKey);
    this.#storedPicture = picture;
    // Earlier versions stored the picture with the other options.
    const { options, dropped } = readOptions(
      picture === null ? stored : { ...stored, backgroundImage: picture },
    );
    return { options: { ...defaultOptions, ...options }, dropped };
  }

  #replace(options: Options): void {
    this.#store.setState(options, true);
    const { backgroundImage: picture, ...others } = options;
    // First: a picture that an earlier version stored with them may not fit twice.
    this.#storage.write(optionsKey, JSON.stringify(others));
    if (picture === this.#storedPicture) return;
    this.#storedPicture = picture;
    if (picture === null) this.#storage.remove(pictureKey);
    else this.#storage.write(pictureKey, picture);
  }
}
