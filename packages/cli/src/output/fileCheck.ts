/**
 * Checks the files of a run before any is opened for writing: refuses an output that is also an input, two outputs in one file, and a
 * file of lines of JSON whose name promises another format.
 *
 * Each command lists the files that it reads and writes. `outputFiles.ts` opens and replaces files.
 */
import { basename, dirname, join, resolve } from "node:path"
import { Format } from "@chemstream/ndjson"
import { TableTarget } from "@chemstream/workflow"
import { Effect, Result } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import * as StoredSettings from "../settings/storedSettings.ts"
import * as FileIdentity from "./fileIdentity.ts"

/** A file that a run reads or writes. */
export interface Use {
  /** The option that names it, or another name for messages. */
  readonly option: string
  /** Its path, or the file descriptor of this process. */
  readonly file: string | number
  /** The suffixes of other files that are written with it. */
  readonly endings?: ReadonlyArray<string>
  /** The prefixes of other files that are written with it. */
  readonly beginnings?: ReadonlyArray<string>
  /** For an input: the option of an output that may replace it, because the input is read first. */
  readonly replacedBy?: string | undefined
  /** Whether it is an output, wherever it is listed: the options of the client have both. */
  readonly isWritten?: boolean
  /** Whether its content is lines of JSON, whatever its name is. */
  readonly isNdjson?: boolean
}

/** The files of a run. Every run also reads the settings, and has standard output and standard error. */
export interface RunFiles {
  readonly inputs?: ReadonlyArray<Use>
  readonly outputs?: ReadonlyArray<Use>
}

/** The settings of `chemstream config`, as an input of a run. */
export const settings = (): Use => ({ option: "the settings", file: StoredSettings.path() })

/** Standard input, as an input of a run. */
export const standardInput: Use = { option: "standard input", file: 0 }

const standardError = { option: "standard error", file: 2 }

const standardOutputs: ReadonlyArray<Use> = [{ option: "standard output", file: 1 }, standardError]

/** Returns the file of an option, if it is given. `more` adds the files that are written with it. */
export const ofOption = (
  option: string,
  file: string | undefined,
  more: Pick<Use, "endings"> = {}
): ReadonlyArray<Use> => (file === undefined ? [] : [{ option, file, ...more }])

/**
 * Returns a file that is written under a temporary name and renamed (`outputFiles.ts`). `more` says what is known of it.
 */
export const replaced = (
  option: string,
  file: string | undefined,
  more: Pick<Use, "endings" | "isNdjson"> = {}
): ReadonlyArray<Use> =>
  file === undefined ? [] : [{ option, file, ...more, beginnings: [`${file}.part-`] }]

/** A SQLite database, with the files beside it. */
export const database = (option: string, file: string): Use => ({
  option,
  file,
  endings: ["-wal", "-shm", "-journal", ".wal"]
})

/** The file of a table, if it is in a file. */
export const tables = (option: string, target: string): ReadonlyArray<Use> => {
  const parsed = Result.getOrUndefined(TableTarget.parse(target))
  return parsed === undefined || parsed._tag === "Postgres" ? [] : [database(option, parsed.file)]
}

/** Whether a database is a Postgres, which has no file. */
export const isPostgres = (database: string): boolean => /^postgres(ql)?:\/\//.test(database)

/** Returns the file of a database of harvests, if it is a file. */
export const harvests = (option: string, where: string): ReadonlyArray<Use> =>
  isPostgres(where) ? [] : [database(option, where)]

/** Fails if an output is the same file as an input or another output. Opens no file. */
export const check = ({ inputs = [], outputs = [] }: RunFiles): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const all = [...inputs, settings()]
    const outs = [...outputs, ...all.filter((use) => use.isWritten === true), ...standardOutputs]
    const read = yield* Effect.promise(() =>
      Promise.all(all.filter((use) => use.isWritten !== true).map(place))
    )
    const written = yield* Effect.promise(() => Promise.all(outs.map(place)))
    for (const [at, output] of written.entries()) {
      for (const input of read) {
        // A missing file is not read.
        if (input.identity?.inode === undefined || input.use.option === output.use.option) continue
        const isReplaced =
          input.use.replacedBy === output.use.option && output.identity?.descriptor === undefined
        if (!isReplaced) yield* refuse(input, output)
      }
      for (const earlier of written.slice(0, at)) {
        // The caller opened both before this process started, so it shares the file on purpose.
        if (earlier.identity?.descriptor !== undefined && output.identity?.descriptor !== undefined) continue
        yield* refuse(earlier, output)
        yield* refuse(output, earlier)
      }
    }
    yield* Effect.forEach(outputs, checkName)
  })

/** Fails if the content is lines of JSON, and the name is that of another format. */
const checkName = ({ file, isNdjson = false, option }: Use): Effect.Effect<void, CommandFailure> =>
  typeof file === "number" || !isNdjson || Format.isNdjson(file)
    ? Effect.void
    : usageFailure(
        `${option} ${file}: its content is NDJSON. Name it .ndjson; chemstream convert makes a table of it`
      )

/** Fails if two files clash. Prints nothing if standard error is the file to protect. */
const refuse = (one: Location, other: Location): Effect.Effect<void, CommandFailure> => {
  const clash = clashOf(one, other)
  if (clash === undefined) return Effect.void
  const isSilent = one.use === standardError || other.use === standardError
  return usageFailure(isSilent ? "" : clash)
}

/** A file of a run with its identity. */
interface Location {
  readonly use: Use
  readonly identity: FileIdentity.FileIdentity | undefined
  readonly companions: ReadonlyArray<FileIdentity.FileIdentity>
  readonly beginnings: ReadonlyArray<string>
}

const place = async (use: Use): Promise<Location> => {
  const { beginnings = [], endings = [], file } = use
  if (typeof file === "number") {
    return { use, identity: await FileIdentity.ofDescriptor(file), companions: [], beginnings: [] }
  }
  const identity = await FileIdentity.ofPath(file)
  if (identity === undefined || identity.descriptor !== undefined) {
    return { use, identity, companions: [], beginnings: [] }
  }
  // A companion may be beside the given path, or beside the target of its link.
  const companions = [file, identity.path].flatMap((path) => endings.map((ending) => `${path}${ending}`))
  const found = await Promise.all([...new Set(companions)].map(FileIdentity.ofPath))
  const prefixes = beginnings.map(async (beginning) =>
    beginning.startsWith(file)
      ? `${identity.path}${beginning.slice(file.length)}`
      : join(await FileIdentity.withoutLinks(resolve(dirname(beginning))), basename(beginning))
  )
  return {
    use,
    identity,
    companions: found.filter((one) => one !== undefined),
    beginnings: await Promise.all(prefixes)
  }
}

/** Returns the message about a file that is used twice. */
const clashOf = (one: Location, other: Location): string | undefined => {
  if (one.identity === undefined) return undefined
  const { identity } = one
  if (other.identity !== undefined && isSame(identity, other.identity)) {
    const name = nameOf(other) || nameOf(one)
    return `${one.use.option} and ${other.use.option} name the same file${name}. Give each a file of its own.`
  }
  const isBesides =
    other.companions.some((file) => isSame(identity, file)) ||
    other.beginnings.some((beginning) => identity.path.startsWith(beginning))
  return isBesides
    ? `${one.use.option} names a file that ${other.use.option} also writes${nameOf(one)}. Give each a file of its own.`
    : undefined
}

/** Returns the name of a file for the end of a message. A standard stream has none. */
const nameOf = ({ use }: Location): string => (typeof use.file === "string" ? `: ${use.file}` : "")

const isSame = (one: FileIdentity.FileIdentity, other: FileIdentity.FileIdentity): boolean =>
  one.path === other.path || (one.inode !== undefined && one.inode === other.inode)
