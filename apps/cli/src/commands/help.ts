import {
  type CommandName,
  type CommandText,
  commandTexts,
  environmentTexts,
  exitTexts,
  type OptionName,
  type OptionText,
  optionTexts,
  roomCommandRows,
} from "./commands.ts";

const width = 80;
const names = Object.keys(commandTexts) as CommandName[];
const textOf = (name: CommandName): CommandText => commandTexts[name];

/** The help of a command, or of the program. */
export function helpText(name: CommandName | null): string {
  return name === null ? programHelp() : commandHelp(name, textOf(name));
}

function programHelp(): string {
  const rows = names.map(
    (name) => [`${name} ${textOf(name).operands}`.trim(), textOf(name).summary] as const,
  );
  return [
    "Usage: warren COMMAND [OPTION…]",
    "",
    "Rooms between terminals and browsers: files and texts, straight from one to the",
    "other.",
    "",
    table(rows),
    "",
    "`warren COMMAND --help` tells more about each.",
    "",
    "Exit codes:",
    table(exitTexts.map((text, code) => [String(code), text] as const)),
    "",
    "Environment:",
    table(Object.entries(environmentTexts)),
    "",
  ].join("\n");
}

function commandHelp(name: CommandName, { operands, paragraphs, rows, options }: CommandText): string {
  const all: readonly OptionName[] = [...options, "help"];
  return [
    `Usage: warren ${name} ${operands}`.trim(),
    ...paragraphs.flatMap((paragraph) => ["", wrap(paragraph, width)]),
    ...(rows ? ["", table(rows)] : []),
    "",
    "Options:",
    table(all.map((option) => [optionHead(option), optionTexts[option].help] as const)),
    "",
  ].join("\n");
}

/** The commands of a room. */
export function roomCommandsHelp(): string {
  return table(roomCommandRows);
}

/** The manual page, from the same texts. */
export function manPage(version: string): string {
  const quoted = (text: string) =>
    text
      .replaceAll("\\", "\\e")
      .replaceAll("-", "\\-")
      .replace(/^([.'])/gm, "\\&$1");
  const entry = (head: string, text: string) => `.TP\n.B ${quoted(head)}\n${quoted(text)}`;
  return [
    `.TH WARREN 1 "" "warren ${version}"`,
    ".SH NAME",
    "warren \\- rooms between terminals and browsers",
    ".SH SYNOPSIS",
    ...names.map((name) => `.B warren ${name}\n${quoted(textOf(name).operands)}\n.br`),
    ".SH COMMANDS",
    ...names.flatMap((name) => {
      const { operands, paragraphs, rows = [], summary, options } = textOf(name);
      return [
        `.SS ${quoted(`${name} ${operands}`.trim())}`,
        quoted(summary),
        ...paragraphs.map((paragraph) => `.PP\n${quoted(paragraph)}`),
        ...rows.map(([head, text]) => entry(head, text)),
        ...options.map((option) => entry(optionHead(option), optionTexts[option].help)),
      ];
    }),
    ".SH EXIT STATUS",
    ...exitTexts.map((text, code) => entry(String(code), text)),
    ".SH ENVIRONMENT",
    ...Object.entries(environmentTexts).map(([name, text]) => entry(name, text)),
    "",
  ].join("\n");
}

/** A script that completes commands, options and paths. */
export function completionScript(shell: string): string | null {
  const optionsOf = (name: CommandName) => [...textOf(name).options, "help"].map((option) => `--${option}`);
  const scripts: Readonly<Record<string, () => string>> = {
    bash: () =>
      [
        "_warren() {",
        `  local word=\${COMP_WORDS[COMP_CWORD]} options=""`,
        `  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "${names.join(" ")}" -- "$word")); return; fi`,
        `  case \${COMP_WORDS[1]} in`,
        ...names.map((name) => `    ${name}) options="${optionsOf(name).join(" ")}" ;;`),
        "  esac",
        '  case $word in -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;; esac',
        "}",
        "complete -o default -F _warren warren",
        "",
      ].join("\n"),
    zsh: () =>
      [
        "#compdef warren",
        "_warren() {",
        `  if (( CURRENT == 2 )); then compadd ${names.join(" ")}; return; fi`,
        "  case $words[2] in",
        ...names.map(
          (name) =>
            `    ${name}) [[ $PREFIX == -* ]] && compadd -- ${optionsOf(name).join(" ")} || _files ;;`,
        ),
        "  esac",
        "}",
        "compdef _warren warren",
        "",
      ].join("\n"),
    fish: () =>
      [
        ...names.map(
          (name) => `complete -c warren -n __fish_use_subcommand -f -a ${name} -d '${textOf(name).summary}'`,
        ),
        ...names.flatMap((name) =>
          textOf(name).options.map((option) => {
            const { value, help }: OptionText = optionTexts[option];
            const needsValue = value === undefined ? "" : " -r";
            return `complete -c warren -n '__fish_seen_subcommand_from ${name}' -l ${option}${needsValue} -d '${help.replaceAll("'", "\\'")}'`;
          }),
        ),
        "",
      ].join("\n"),
  };
  return scripts[shell]?.() ?? null;
}

function optionHead(option: OptionName): string {
  const { value, short }: OptionText = optionTexts[option];
  const name = short === undefined ? `--${option}` : `-${short}, --${option}`;
  return value === undefined ? name : `${name} ${value}`;
}

function table(rows: readonly (readonly [head: string, text: string])[]): string {
  const indent = Math.min(28, Math.max(...rows.map(([head]) => head.length)) + 4);
  return rows
    .map(([head, text]) => {
      const wrapped = wrap(text, width - indent).replaceAll("\n", `\n${" ".repeat(indent)}`);
      const start = `  ${head}`;
      return start.length + 2 > indent
        ? `${start}\n${" ".repeat(indent)}${wrapped}`
        : `${start.padEnd(indent)}${wrapped}`;
    })
    .join("\n");
}

function wrap(text: string, columns: number): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}
