import type { Interface } from "node:readline";
import { createInterface } from "node:readline/promises";
import type { TransferSnapshot } from "@warren/core";
import { type CommandEvent, type Item, sentenceOf } from "./events.ts";
import { interrupted } from "./exit-code.ts";
import { fitted, formatSeconds, formatSize, printable } from "./format.ts";

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
  /** Whether the terminal may show no blocks. */
  readonly isAscii: boolean;
}

/** How far a transfer is. */
type Progress = Pick<TransferSnapshot, "transferredBytes" | "totalBytes" | "bytesPerSecond" | "secondsLeft">;

const progressEveryMs = 500;
const barLength = 20;
const nameMin = 10;

/** Reports what a command does: as sentences and a progress bar on stderr, or as JSON lines on stdout. */
export class Report {
  readonly #streams: ReportStreams;
  readonly #options: ReportOptions;
  #hasBar = false;
  /** Where a person may have typed a part of a line. */
  #typing: Interface | null = null;
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
      if (sentence === null) return;
      if (event.event === "error") this.#clearTyped();
      this.line(event.event === "error" ? this.#red(sentence) : sentence);
    }
  }

  /** A line for people, which is no event. */
  line(text: string): void {
    if (this.#options.json) return;
    this.#endBar();
    this.#streams.stderr.write(this.#typing === null ? `${text}\n` : above(text, this.#typing));
  }

  /** Keeps what a person types at a terminal below everything else, until that interface closes. */
  keepBelow(lines: Interface): void {
    this.#typing = lines;
    lines.once("close", () => {
      this.#typing = null;
      this.#clearTyped();
    });
  }

  /** A picture of black characters, unless the terminal cannot show it whole. */
  picture(text: string): void {
    const { isTTY, columns } = this.#streams.stderr;
    const lines = text.split("\n");
    const width = Math.max(...lines.map((line) => line.length));
    if (this.#options.isAscii || (isTTY && width > columns)) return;
    // Not every camera reads a code whose colours a dark terminal inverts.
    const isColored = isTTY && !this.#options.noColor;
    this.line(isColored ? lines.map((line) => `\x1b[30;107m${line}\x1b[0m`).join("\n") : text);
  }

  /** Shows where a person can type, if one does. */
  prompt(): void {
    this.#typing?.prompt(true);
  }

  /** What is written of a folder includes its list of files, and so may be more than those. */
  progress(item: Item, { transferredBytes, totalBytes, bytesPerSecond, secondsLeft }: Progress): void {
    if (this.#options.json) {
      const isDue = performance.now() - this.#progressAtMs >= progressEveryMs;
      if (!isDue) return;
      this.#progressAtMs = performance.now();
      const bytes = Math.min(transferredBytes, item.sizeBytes);
      this.event({ event: "progress", ...item, bytes, bytesPerSecond });
    } else if (this.#streams.stderr.isTTY) {
      const isStored = transferredBytes === totalBytes;
      const fraction = isStored ? 1 : transferredBytes / totalBytes;
      const filled = Math.round(fraction * barLength);
      const rate = bytesPerSecond === null ? "" : `  ${formatSize(bytesPerSecond)}/s`;
      const left = secondsLeft === null ? "" : `  ${formatSeconds(secondsLeft)} left`;
      // Not before the disk has it is it there.
      const rest = isStored ? ["  writing to disk"] : [rate, left];
      const [full, empty] = this.#options.isAscii ? "#-" : "█░";
      const bar = `${full?.repeat(filled)}${empty?.repeat(barLength - filled)}`;
      this.#write(printable(item.name), [`  ${bar} ${Math.floor(fraction * 100)} %`, ...rest]);
    }
  }

  /**
   * Asks a question; false unless the answer is yes.
   * @param over aborted once nobody needs the answer any more
   * @throws CommandError if the person stops the program instead
   */
  async confirm(question: string, stop: AbortSignal, over?: AbortSignal): Promise<boolean> {
    this.#endBar();
    const lines = createInterface({ input: this.#streams.stdin, output: this.#streams.stderr });
    this.keepBelow(lines);
    // While a question is open, Ctrl-C is a key like others: no signal comes of it.
    lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
    try {
      const signal = AbortSignal.any(over === undefined ? [stop] : [stop, over]);
      const answer = await lines.question(`${question} [y/N] `, { signal });
      return /^y(es)?$/i.test(answer.trim());
    } catch {
      if (stop.aborted) throw interrupted();
      return false; // Ctrl-D, or over
    } finally {
      lines.close();
    }
  }

  end(): void {
    this.#endBar();
  }

  get #jsonStream(): NodeJS.WriteStream {
    return this.#options.stdoutIsData ? this.#streams.stderr : this.#streams.stdout;
  }

  /** A narrow terminal shows less of the name, and of the other parts those that fit. */
  #write(name: string, parts: readonly string[]): void {
    const columns = (this.#streams.stderr.columns || 80) - 1;
    let bar = "";
    for (const part of parts) if (bar.length + part.length <= columns - nameMin) bar += part;
    this.#streams.stderr.write(`\r\x1b[K${fitted(name, columns - bar.length)}${bar}`);
    this.#hasBar = true;
  }

  /** The line may begin with a prompt, or with what a terminal shows of Ctrl-C. */
  #clearTyped(): void {
    if (this.#streams.stderr.isTTY) this.#streams.stderr.write("\r\x1b[K");
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

/** Writes a text over the line that a person types, and that line below it. */
function above(text: string, typing: Interface): string {
  const { rows } = typing.getCursorPos();
  const up = rows > 0 ? `\x1b[${rows}A` : "";
  const behind = typing.line.length - typing.cursor;
  const left = behind > 0 ? `\x1b[${behind}D` : "";
  return `${up}\r\x1b[J${text}\n${typing.getPrompt()}${typing.line}${left}`;
}
