import { parseArgs } from "node:util";
import {
  type CommandName,
  type CommandText,
  commandTexts,
  type Options,
  type OptionText,
  optionTexts,
} from "./commands/commands.ts";
import type { CommandContext } from "./commands/context.ts";
import { completionScript, helpText, manPage } from "./commands/help.ts";
import { errorEventOf } from "./terminal/error-event.ts";
import { CommandError, type ExitCode, exitCodes } from "./terminal/exit-code.ts";
import { speaksUtf8 } from "./terminal/format.ts";
import { Report } from "./terminal/report.ts";

type Run = (context: CommandContext) => Promise<void>;

/** What each command does once its options are read. Only the one that runs is loaded: with WebRTC that takes a while. */
const runs: Readonly<Record<Exclude<CommandName, "completion" | "man">, () => Promise<Run>>> = {
  send: async () => (await import("./commands/send.ts")).send,
  receive: async () => (await import("./commands/receive.ts")).receive,
  room: async () => (await import("./commands/room.ts")).room,
  trust: async () => (await import("./commands/trust.ts")).trust,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  serve: async () => (await import("./commands/serve.ts")).serve,
};

interface Arguments {
  readonly name: CommandName | null;
  readonly options: Options;
  readonly operands: readonly string[];
}

/** @throws CommandError for a command or an option that there is not */
function readArguments(args: readonly string[]): Arguments {
  const [first, ...rest] = args;
  if (first === undefined || first.startsWith("-")) return { name: null, ...read(null, args) };
  if (first === "help") {
    const [about, ...more] = rest;
    return { name: about === undefined ? null : commandOf(about), options: { help: true }, operands: more };
  }
  const name = commandOf(first);
  const text: CommandText = commandTexts[name];
  const given = read(name, rest);
  const [extra] = text.operands === "" ? given.operands : [];
  if (extra !== undefined) throw new CommandError(`${name} takes no operands, such as ${extra}.`);
  return { name, ...given };
}

function commandOf(word: string): CommandName {
  if (!Object.hasOwn(commandTexts, word))
    throw new CommandError(`There is no command ${word}. \`warren --help\` lists them.`);
  return word as CommandName;
}

function read(command: CommandName | null, args: readonly string[]): Omit<Arguments, "name"> {
  const names: readonly (keyof Options)[] = command === null ? [] : commandTexts[command].options;
  const options = Object.fromEntries(
    [...names, "help" as const, "version" as const].map((name) => {
      const { value, multiple = false, short }: OptionText = optionTexts[name];
      const type = value === undefined ? ("boolean" as const) : ("string" as const);
      return [name, { type, multiple, ...(short !== undefined && { short }) }];
    }),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const empty = Object.entries(values).find(([, value]) => [value].flat().includes(""));
    if (empty) throw new CommandError(`--${empty[0]} needs a value.`);
    return { options: values as Options, operands: positionals };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    // The sentence of parseArgs, without its advice about operands that begin with a dash.
    const [sentence] = String(error instanceof Error ? error.message : error).split(". To ");
    const help = command === null ? "warren --help" : `warren ${command} --help`;
    throw new CommandError(`${sentence}. \`${help}\` lists what there is.`);
  }
}

async function main(): Promise<ExitCode> {
  const { env, stdin, stdout, stderr } = process;
  const streams = { stdin, stdout, stderr };
  const noColor = (env.NO_COLOR ?? "") !== "";
  const isAscii = !speaksUtf8(env);
  const stopping = new AbortController();
  // Who read them has gone. Whoever writes a file there says so first.
  for (const stream of [stdout, stderr]) stream.on("error", () => queueMicrotask(() => stopping.abort()));
  let report = new Report(streams, {
    json: process.argv.includes("--json"),
    stdoutIsData: false,
    noColor,
    isAscii,
  });
  try {
    const { name, options, operands } = readArguments(process.argv.slice(2));
    if (options.version) return print(`${__VERSION__}\n`);
    if (options.help) return print(helpText(name));
    if (name === null) {
      stderr.write(helpText(null));
      return exitCodes.usage;
    }
    if (name === "man") return print(manPage(__VERSION__));
    if (name === "completion") {
      const script = completionScript(operands[0] ?? "");
      if (script === null) throw new CommandError("Name a shell: bash, zsh or fish.");
      return print(script);
    }
    const stdoutIsData = name === "receive" && options.dir === "-";
    report = new Report(streams, { json: options.json === true, stdoutIsData, noColor, isAscii });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      if (name !== "serve") process.once(signal, () => stopping.abort());
    const { signal } = stopping;
    const [run, { CommandContext }] = await Promise.all([runs[name](), import("./commands/context.ts")]);
    await run(new CommandContext({ options, operands, report, streams, signal, env }));
    return exitCodes.done;
  } catch (error) {
    const event = errorEventOf(error);
    report.event(event);
    return event.exitCode;
  } finally {
    report.end();
  }
}

function print(text: string): ExitCode {
  process.stdout.write(text);
  return exitCodes.done;
}

const exitCode = await main();
// The connections of WebRTC would keep the process alive. What was written to a pipe has to arrive first.
process.exitCode = exitCode;
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write("", done))),
);
process.exit(exitCode);
