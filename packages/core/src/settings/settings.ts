import { WarrenError } from "@warren/protocol";
import type { KeyValueStorage } from "../ports/key-value-storage.ts";
import { readJson } from "../shared/read-json.ts";
import { createStore, type ReadableStore, type WritableStore } from "../shared/store.ts";
import { defaultOptions, type OptionName, type Options, optionTable, repairOptions } from "./options.ts";

const storageKey = "app_options";

/** Every option of this browser, kept in storage. */
export class Settings {
  readonly store: ReadableStore<Options>;
  readonly #store: WritableStore<Options>;
  readonly #storage: KeyValueStorage;

  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
    this.#store = createStore(repairOptions(readJson(storage, storageKey)));
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
    const parsed = optionTable[name].schema.safeParse(value);
    if (!parsed.success) throw new WarrenError("frame-invalid", { issue: name });
    this.#replace({ ...this.get(), [name]: parsed.data });
  }

  /** Sets one option, or all, back to default. */
  reset(name?: OptionName): void {
    this.#replace(name ? { ...this.get(), [name]: defaultOptions[name] } : defaultOptions);
  }

  #replace(options: Options): void {
    this.#store.setState(options, true);
    this.#storage.write(storageKey, JSON.stringify(options));
  }
}
