/**
 * A sink in a folder that all workers see: parts while the harvest runs (`parts.ts`), at the end one file of all records
 * (`joinedRecords.ts`) if one is named, and a manifest.
 */
import { randomUUID } from "node:crypto"
import { Effect, type FileSystem, type Path, PlatformError, Schema, Stream } from "effect"
import { add, type Identity, nothing, type Sink, type SinkError, Tally } from "../../Sink.ts"
import { type Files, make as filesOf, unfinished } from "./files.ts"
import { joinedRecords } from "./joinedRecords.ts"
import { type Parts, make as partsOf } from "./parts.ts"
import { incomplete, indexesTo, occupied, refusing } from "./sinkErrors.ts"

const Harvest = Schema.fromJsonString(
  Schema.Struct({ harvest: Schema.String, source: Schema.String, claim: Schema.String })
)

/** What a finished harvest says of itself, and by being there that the parts are done with. */
const Manifest = Schema.fromJsonString(
  Schema.Struct({
    harvest: Schema.String,
    source: Schema.String,
    chunks: Schema.Natural,
    tally: Tally,
    /** The joined file; null where the parts stay. */
    file: Schema.NullOr(Schema.String),
    /** The length of each file that was joined. */
    files: Schema.Record(Schema.String, Schema.Natural)
  })
)

const Tallies = Schema.fromJsonString(Schema.Array(Tally))

/** Parts that are read at the same time. */
const partsRead = 16

/** The file that names the harvest of a folder. */
const claimed = "harvest.json"
const manifested = "manifest.json"
const counted = "chunks.json"
const problems = "problems.ndjson"

/** The harvest that a folder holds, by name; undefined where it says of none. */
export const holder = (
  folder: string
): Effect.Effect<string | undefined, never, FileSystem.FileSystem | Path.Path> =>
  Effect.flatMap(filesOf(folder), ({ at, read }) => read(at(claimed), Harvest)).pipe(
    Effect.map((found) => found?.harvest),
    // Opening it says what is wrong with it.
    Effect.orElseSucceed(() => undefined)
  )

/** Opens a folder, which is made where there is none. `file` is what the parts become at the end. */
export const open = (
  folder: string,
  file: string | undefined,
  identity: Identity
): Effect.Effect<Sink, SinkError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* filesOf(folder)
    const parts = partsOf(files)
    const failing = refusing(folder, isRetryable)
    /** What is kept of a chunk: in its part or, when the parts are gone, in the list of all. */
    const kept = (index: number) =>
      Effect.gen(function* () {
        const tally = yield* parts.tallyOf(index)
        if (tally !== undefined || (yield* manifestIn(files)) === undefined) return tally
        return (yield* files.read(files.at(counted), Tallies))?.[index]
      })
    return {
      claim: yield* failing("open", claim(files, identity)),
      written: (index) => failing("read", kept(index)),
      write: (chunk) =>
        failing(
          "write",
          Effect.catch(parts.put(chunk), (error) =>
            // Another may have been first, or the harvest may be over: then what is kept holds.
            Effect.flatMap(kept(chunk.index), (other) =>
              other === undefined ? Effect.fail(error) : Effect.succeed(other)
            )
          )
        ),
      complete: (chunks) => failing("complete", complete(files, parts, { file, identity, chunks })),
      absent: (chunks) => failing("read", absent(files, parts, chunks)),
      failed: (index) => failing("read", parts.failed(index)),
      amend: (chunk) => failing("write", Effect.andThen(reopen(files), parts.amend(chunk)))
    }
  })

/** A path that leads nowhere, or where nothing may be written. */
const unreachable: ReadonlySet<string> = new Set(["NotFound", "PermissionDenied", "BadResource"])

/** A disk that is full or busy can recover by itself; a path that leads nowhere and a file that is not ours cannot. */
const isRetryable = (error: unknown): boolean =>
  PlatformError.isPlatformError(error) && !unreachable.has(error.reason._tag)

const manifestIn = ({ at, read }: Files) => read(at(manifested), Manifest)

const writeText = ({ path, write }: Files, folder: string, name: string, text: string) =>
  write(path.join(folder, name), Stream.make(new TextEncoder().encode(`${text}\n`)))

/** Names the harvest of the folder, and returns its mark: the first to do so wins. */
const claim = (files: Files, { harvest, source }: Identity) =>
  Effect.gen(function* () {
    const { apart, at, folder, fs, path, read } = files
    yield* fs.makeDirectory(folder, { recursive: true })
    if ((yield* read(at(claimed), Harvest)) === undefined) {
      const text = Schema.encodeSync(Harvest)({ harvest, source, claim: randomUUID() })
      yield* apart((own) =>
        Effect.andThen(
          writeText(files, own, claimed, text),
          fs
            .link(path.join(own, claimed), at(claimed))
            .pipe(Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.void))
        )
      )
    }
    const holder = yield* read(at(claimed), Harvest)
    if (holder?.harvest !== harvest || holder.source !== source) {
      const other = holder?.harvest === harvest ? "of another source" : `"${holder?.harvest}"`
      return yield* occupied(folder, `the harvest ${other}`, "name another folder, or remove this one")
    }
    if ((yield* manifestIn(files)) === undefined) yield* fs.makeDirectory(at("parts"), { recursive: true })
    return holder.claim
  })

/** Has the parts looked at again. */
const reopen = ({ at, fs }: Files) =>
  Effect.andThen(
    fs.remove(at(manifested), { force: true }),
    fs.makeDirectory(at("parts"), { recursive: true })
  )

const absent = (files: Files, parts: Parts, chunks: number) =>
  Effect.gen(function* () {
    const entry = yield* manifestIn(files)
    if (entry !== undefined && entry.file !== null) {
      if (yield* files.has(files.folder, entry.files)) return []
      yield* reopen(files)
    }
    const indexes = indexesTo(chunks)
    const whole = yield* Effect.forEach(indexes, parts.isWhole, { concurrency: partsRead })
    const lost = indexes.filter((index) => !whole[index])
    if (lost.length > 0) yield* reopen(files)
    for (const index of lost) yield* files.fs.remove(parts.folderOf(index), { recursive: true, force: true })
    return lost
  })

interface Completion {
  readonly file: string | undefined
  readonly identity: Identity
  readonly chunks: number
}

const complete = (files: Files, parts: Parts, completion: Completion) =>
  Effect.gen(function* () {
    const over = Effect.map(manifestIn(files), (entry) =>
      entry?.chunks === completion.chunks ? entry : undefined
    )
    const entry =
      (yield* over) ??
      (yield* Effect.catch(finish(files, parts, completion), (error) =>
        // Another may have ended it, and taken the parts away meanwhile.
        Effect.flatMap(over, (other) => (other === undefined ? Effect.fail(error) : Effect.succeed(other)))
      ))
    // The parts stay while something failed, so that it can be asked for again.
    yield* sweep(files, entry.file !== null && entry.tally.failed === 0)
    return entry.tally
  })

const finish = (files: Files, parts: Parts, { chunks, file, identity }: Completion) =>
  Effect.gen(function* () {
    const indexes = indexesTo(chunks)
    const found = yield* Effect.forEach(indexes, parts.tallyOf, { concurrency: partsRead })
    const tallies = found.filter((tally) => tally !== undefined)
    if (tallies.length < chunks) {
      const lost = indexes.filter((index) => found[index] === undefined)
      return yield* incomplete(files.folder, lost, chunks)
    }
    const joined = file === undefined ? {} : yield* join(files, indexes.map(parts.folderOf), file)
    const { harvest, source } = identity
    const tally = tallies.reduce(add, nothing)
    const entry = { harvest, source, chunks, tally, file: file ?? null, files: joined }
    yield* files.apart((own) =>
      Effect.gen(function* () {
        yield* writeText(files, own, counted, Schema.encodeSync(Tallies)(tallies))
        yield* writeText(files, own, manifested, Schema.encodeSync(Manifest)(entry))
        // The manifest last: what it says is there is there.
        yield* files.place(own, [counted, manifested])
      })
    )
    return entry
  })

/** Makes one file of the records of all parts and one of the problems, and returns their lengths. */
const join = (files: Files, folders: ReadonlyArray<string>, into: string) =>
  files.apart((own) =>
    Effect.gen(function* () {
      const { at, fs, path, place, write } = files
      const contents = (name: string) =>
        folders.map((folder) => fs.stream(path.join(folder, name), { chunkSize: 1 << 20 }))
      const lengths = {
        [into]: yield* write(path.join(own, into), joinedRecords(contents("records.ndjson"), into)),
        [problems]: yield* write(
          path.join(own, problems),
          Stream.flatMap(Stream.fromIterable(contents(problems)), (bytes) =>
            // Where there was no problem there is no file.
            Stream.catchReason(bytes, "PlatformError", "NotFound", () => Stream.empty)
          )
        )
      }
      // Unless another has ended the harvest and taken the parts away, all at once: then this fails.
      yield* fs.stat(at("parts"))
      yield* place(own, Object.keys(lengths))
      return lengths
    })
  )

/** Takes away what is no longer needed: a writer that comes late finds no place, and is told what is kept. */
const sweep = ({ apart, at, folder, fs, path }: Files, isJoined: boolean) =>
  Effect.gen(function* () {
    if (isJoined && (yield* fs.exists(at("parts"))))
      yield* apart((own) => fs.rename(at("parts"), path.join(own, "parts")))
    for (const name of yield* fs.readDirectory(folder)) {
      if (name.startsWith(unfinished)) yield* fs.remove(at(name), { recursive: true, force: true })
    }
  })
