import { createInterface } from "node:readline/promises";
import { type CommandEvent, type Item, itemText, sentenceOf } from "./events.ts";
import { formatSeconds, formatSize, printable } from "./format.ts";

/** Where a report is written. */
export interface ReportStreams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

export interface ReportOptions {
  readonly json: boolean;
  /** Whether stdout carries a file, so that events go to stderr. */
  readonly stdoutIsData: boolean;
  readonly noColor: boolean;
}

const progressEveryMs = 500;
const barLength = 20;

/** Reports what a command does: as sentences and a progress bar on stderr, or as JSON lines on stdout. */
export class Report {
  readonly #streams: ReportStreams;
  readonly #options: ReportOptions;
  #hasBar = false;
  #progressAtMs = Number.NEGATIVE_INFINITY;

  constructor(streams: ReportStreams, options: ReportOptions) {
    this.#streams = streams;
    this.#options = options;
  }

  /** Whether somebody can answer questions. */
  get canAsk(): boolean {
    return this.#streams.stdin.isTTY === true && !this.#options.json;
  }

  event(event: CommandEvent): void {
    if (this.#options.json) this.#jsonStream.write(`${JSON.stringify(event)}\n`);
    else {
      const sentence = sentenceOf(event);
      if (sentence !== null) this.line(event.event === "error" ? this.#red(sentence) : sentence);
    }
  }

  /** A line for people, which is no event. */
  line(text: string): void {
    if (this.#options.json) return;
    this.#endBar();
    this.#streams.stderr.write(`${text}\n`);
  }

  progress(item: Item, bytes: number, bytesPerSecond: number | null, secondsLeft: number | null): void {
    if (this.#options.json) {
      const isDue = performance.now() - this.#progressAtMs >= progressEveryMs;
      if (!isDue) return;
      this.#progressAtMs = performance.now();
      this.event({ event: "progress", ...item, bytes, bytesPerSecond });
    } else if (this.#streams.stderr.isTTY) {
      const fraction = item.sizeBytes === 0 ? 1 : bytes / item.sizeBytes;
      const filled = Math.round(fraction * barLength);
      const rate = bytesPerSecond === null ? "" : `  ${formatSize(bytesPerSecond)}/s`;
      const left = secondsLeft === null ? "" : `  ${formatSeconds(secondsLeft)} left`;
      const bar = `${"█".repeat(filled)}${"░".repeat(barLength - filled)}`;
      this.#write(`${printable(item.name)}  ${bar} ${Math.floor(fraction * 100)} %${rate}${left}`);
    }
  }

  /** Asks a question; false unless the answer is yes. */
  async confirm(question: string, signal: AbortSignal): Promise<boolean> {
    this.#endBar();
    const lines = createInterface({ input: this.#streams.stdin, output: this.#streams.stderr });
    try {
      return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `, { signal })).trim());
    } catch {
      return false; // interrupted, or the terminal is gone
    } finally {
      lines.close();
    }
  }

  /** Asks whether to receive something. */
  askFor(from: string, item: Item, signal: AbortSignal): Promise<boolean> {
    return this.confirm(`Receive ${itemText(item)} from ${printable(from)}?`, signal);
  }

  end(): void {
    this.#endBar();
  }

  get #jsonStream(): NodeJS.WriteStream {
    return this.#options.stdoutIsData ? this.#streams.stderr : this.#streams.stdout;
  }

  #write(bar: string): void {
    const width = this.#streams.stderr.columns || 80;
    this.#streams.stderr.write(`\r\x1b[K${bar.slice(0, width - 1)}`);
    this.#hasBar = true;
  }

  #endBar(): void {
    if (this.#hasBar) this.#streams.stderr.write("\r\x1b[K");
    this.#hasBar = false;
  }

  #red(text: string): string {
    const isPlain = this.#options.noColor || !this.#streams.stderr.isTTY;
    return isPlain ? text : `\x1b[31m${text}\x1b[39m`;
  }
}
