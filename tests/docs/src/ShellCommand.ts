// Parses the commands of a shell block, and checks them against `chemstream SUBCOMMAND --help`. Nothing is executed.
// It knows quotes, continued lines, comments, assignments, pipes and here-documents, but not loops or functions.

/** One command: its words without quotes, assignments and redirections. `line` counts from 1 in the block. */
export interface ShellCommand {
  readonly line: number
  readonly words: ReadonlyArray<string>
}

/** A flag of a help page. Without `choices`, it takes any value. A switch takes none. */
export interface Flag {
  readonly takesValue: boolean
  readonly choices?: ReadonlyArray<string>
}

/** Returns all commands of a block, without those in `$(…)`. */
export const parse = (code: string): ReadonlyArray<ShellCommand> => {
  const commands: Array<ShellCommand> = []
  const lines = code.split("\n")
  for (let index = 0; index < lines.length; index++) {
    const line = index + 1
    let text = (lines[index] ?? "").replace(/^\s*\$ /, "")
    while (text.endsWith("\\") && index + 1 < lines.length) text = `${text.slice(0, -1)} ${lines[++index]}`
    const end = /<<-?\s*["']?(\w+)["']?/.exec(text)?.[1]
    commands.push(...split(text.replace(/<<-?\s*["']?\w+["']?/, "")).map((words) => ({ line, words })))
    if (end !== undefined) while (index + 1 < lines.length && lines[++index]?.trim() !== end);
  }
  return commands
}

/** Returns the arguments of a call of this program, also through npx or from node_modules/.bin. */
export const argumentsOf = ({ words }: ShellCommand, program: string): ReadonlyArray<string> | undefined => {
  const [first, second] = words
  const rest = first === "npx" ? words.slice(/^-/.test(second ?? "") ? 2 : 1) : words
  const name = rest[0]?.replace(/@[\w.^~-]+$/, "")
  return name === program || name?.endsWith(`/.bin/${program}`) ? rest.slice(1) : undefined
}

/** Returns the npm script that a command runs. */
export const scriptOf = (command: ShellCommand): string | undefined => {
  const [first, second] = argumentsOf(command, "npm") ?? argumentsOf(command, "pnpm") ?? []
  if (first === "run" || first === "run-script") return second
  return first === "start" || first === "test" || first === "t" ? first.replace(/^t$/, "test") : undefined
}

/** Returns the subcommands of a help page, which are listed before the flags. Without COMMAND in its usage, none. */
export const subcommandsIn = (help: string): ReadonlyArray<string> => {
  const [before = ""] = help.split(/^(?:GLOBAL )?FLAGS$/m)
  const [usage = "", ...groups] = before.slice(before.indexOf("USAGE")).split(/^(?=[A-Z][A-Z ]+$)/m)
  return usage.includes(" COMMAND")
    ? groups.flatMap((group) => [...group.matchAll(/^ {2}([\w-]+) {2}/gm)].flatMap(([, name]) => name ?? []))
    : []
}

/** Returns the flags of a help page by each of their names, including the dashes. */
export const flagsIn = (help: string): ReadonlyMap<string, Flag> => {
  const flags = new Map<string, Flag>()
  // The text of a flag may continue on indented lines.
  const whole = help.replace(/\n {8,}(?=\S)/g, "  ")
  for (const [, names = "", value, rest = ""] of whole.matchAll(
    /^ {2}(?: {4})?(--?[\w-]+(?:, --?[\w-]+)*)(?: ('[^']*'|\S+))?(?: {2,}(.*))?$/gm
  )) {
    // Words in capitals, as in FILE|URL, stand for values.
    const choices = /^[^A-Z]*\|[^A-Z]*$/.test(value ?? "")
      ? value?.split("|")
      : /\[choices: ([^\]]*)\]/.exec(rest)?.[1]?.split(/,\s+/)
    const flag: Flag = { takesValue: value !== undefined, ...(choices === undefined ? {} : { choices }) }
    for (const name of names.split(", ")) {
      flags.set(name, flag)
      if (value !== undefined || !name.startsWith("--")) continue
      flags.set(name.startsWith("--no-") ? name.replace("--no-", "--") : name.replace("--", "--no-"), flag)
    }
  }
  return flags
}

/** Returns the problems of the flags in arguments, as sentences. */
export const problems = (
  args: ReadonlyArray<string>,
  flags: ReadonlyMap<string, Flag>
): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? ""
    if (argument === "--") break
    const [, name, given] = /^(--?[A-Za-z][\w-]*)(?:=(.*))?$/s.exec(argument) ?? []
    if (name === undefined) continue
    const flag = flags.get(name)
    if (flag === undefined) found.push(`there is no flag ${name}`)
    else if (!flag.takesValue) {
      if (given !== undefined) found.push(`${name} takes no value`)
    } else {
      const value = given ?? args[++index]
      if (value === undefined) found.push(`${name} needs a value`)
      else if (flag.choices?.includes(value) === false) found.push(`${value} is not a choice of ${name}`)
    }
  }
  return found
}

/** Cuts one line at `|`, `&` and `;` into commands, and these into words. */
const split = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const commands: Array<Array<string>> = [[]]
  const token =
    /\s+|(\d?>>?&?\d?\s*(?:[^\s|&;]+)?|<\s*[^\s|&;]+)|(\|\|?|&&?|;)|(#.*$)|((?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s|&;<>"'\\])+)|./gy
  for (const [, , separator, comment, word] of text.matchAll(token)) {
    if (comment !== undefined) break
    if (separator !== undefined) commands.push([])
    const words = commands.at(-1)
    if (word === undefined || words === undefined) continue
    if (words.length > 0 || !/^\w+=/.test(word)) words.push(unquote(word))
  }
  return commands.filter((words) => words.length > 0)
}

const unquote = (word: string): string =>
  word.replace(
    /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g,
    (_, double, single, escaped) => double ?? single ?? escaped
  )
