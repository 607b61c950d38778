/**
 * A sink in a folder that all workers see. A chunk is a folder of its own under `parts`, made under a hidden name, flushed,
 * and renamed: a folder that is there cannot be renamed over, so the first writer wins. What the records of
 * the parts become at the end is `joinedRecords`'.
 */
import { Ndjson, type RawRecord } from "@chemstream/ndjson"
import { Problem } from "@chemstream/stream"
import { Effect, FileSystem, Option, Path, Schema, Stream } from "effect"
import { add, type Chunk, type Identity, nothing, type Sink, type SinkError, Tally, tally } from "../Sink.ts"
import { joinedRecords } from "./joinedRecords.ts"
import { flush, write } from "./parts.ts"
import { incomplete, occupied, refusing } from "./sinkErrors.ts"

const Harvest = Schema.fromJsonString(Schema.Struct({ harvest: Schema.String, source: Schema.String }))

/** What a finished harvest says of itself, and by being there that the parts are done with. */
const Manifest = Schema.fromJsonString(
  Schema.Struct({
    harvest: Schema.String,
    source: Schema.String,
    chunks: Schema.Natural,
    tally: Tally,
    /** The joined file; null where the parts stay. */
    file: Schema.NullOr(Schema.String)
  })
)

const PartTally = Schema.fromJsonString(Tally)
const encodeTally = Schema.encodeSync(PartTally)
const PartTallies = Schema.fromJsonString(Schema.Array(Tally))

/** Parts whose tallies are read at the same time. */
const partsRead = 16

/** How the name of what is not finished begins: hidden, so that patterns like `parts/*` pass it over. */
const unfinished = ".writing-"

/** The file that names the harvest of a folder. */
const claimed = "harvest.json"

const encoder = new TextEncoder()

/** The harvest that a folder holds, by name; undefined where it says of none. */
export const holder = (
  folder: string
): Effect.Effect<string | undefined, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const text = yield* fs.readFileString(path.join(folder, claimed))
    return (yield* Schema.decodeUnknownEffect(Harvest)(text)).harvest
  }).pipe(
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
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const parts = path.join(folder, "parts")
    const manifestFile = path.join(folder, "manifest.json")
    const talliesFile = path.join(folder, "chunks.json")
    const nameOf = (index: number): string => String(index).padStart(8, "0")
    const partOf = (index: number): string => path.join(parts, nameOf(index))
    /** The counts of the chunks that were written here. */
    const known = new Map<number, Tally>()

    const failing = refusing(folder, isRetryable)

    /** Reads a file that may not be there. */
    const read = <A>(file: string, schema: Schema.ConstraintDecoder<A>) =>
      fs.readFileString(file).pipe(
        Effect.flatMap((text) => Schema.decodeUnknownEffect(schema)(text)),
        Effect.asSome,
        Effect.catchReason("PlatformError", "NotFound", () => Effect.succeedNone),
        Effect.map(Option.getOrUndefined)
      )

    /** A place of one's own: others may do the same at the same time, and a kill may leave it behind. */
    const apart = <A, E>(use: (own: string) => Effect.Effect<A, E>) =>
      Effect.acquireUseRelease(fs.makeTempDirectory({ directory: folder, prefix: unfinished }), use, (own) =>
        // What cannot be removed now is removed at the end of the harvest.
        Effect.ignore(fs.remove(own, { recursive: true, force: true }))
      )

    /** A file with its bytes on the disk. */
    const flushed = <E>(file: string, bytes: Stream.Stream<Uint8Array, E>) =>
      Effect.scoped(
        Effect.flatMap(fs.open(file, { flag: "w" }), (handle) =>
          Effect.andThen(
            Stream.runForEach(bytes, (some) => handle.writeAll(some)),
            handle.sync
          )
        )
      )

    const writeText = (file: string, text: string) => flushed(file, Stream.make(encoder.encode(text)))

    /** Moves finished files to their names, whole, and on the disk when done. */
    const place = (own: string, names: ReadonlyArray<string>) =>
      Effect.andThen(
        Effect.forEach(names, (name) => fs.rename(path.join(own, name), path.join(folder, name))),
        flush(folder)
      )

    /** Names the harvest of the folder: the first to do so wins. */
    const claim = Effect.gen(function* () {
      yield* fs.makeDirectory(folder, { recursive: true })
      const name = path.join(folder, claimed)
      if ((yield* read(name, Harvest)) === undefined) {
        yield* apart((own) =>
          Effect.andThen(
            writeText(path.join(own, claimed), `${Schema.encodeSync(Harvest)(identity)}\n`),
            Effect.catchReason(
              fs.link(path.join(own, claimed), name),
              "PlatformError",
              "AlreadyExists",
              () => Effect.void
            )
          )
        )
      }
      const holder = yield* read(name, Harvest)
      if (holder?.harvest !== identity.harvest || holder.source !== identity.source) {
        const other = holder?.harvest === identity.harvest ? "of another source" : `"${holder?.harvest}"`
        return yield* occupied(folder, `the harvest ${other}`, "name another folder, or remove this one")
      }
      if ((yield* manifest) === undefined) yield* fs.makeDirectory(parts, { recursive: true })
    })

    const manifest = read(manifestFile, Manifest)

    /** The names of the parts; none where they are gone. */
    const listed = fs.readDirectory(parts).pipe(
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed([])),
      Effect.map((names): ReadonlySet<string> => new Set(names))
    )

    const tallyIn = (index: number) => read(path.join(partOf(index), "tally.json"), PartTally)

    /** What is kept of a chunk in its part, which is among those listed. */
    const inPart = (index: number, names: ReadonlySet<string>) =>
      Effect.suspend(() => {
        if (!names.has(nameOf(index))) return Effect.undefined
        const tally = known.get(index)
        if (tally !== undefined) return Effect.succeed(tally)
        return tallyIn(index)
      })

    /** What is kept of a chunk, in its part or, when the parts are gone, in the list of all. */
    const kept = (index: number) =>
      Effect.gen(function* () {
        return (yield* tallyIn(index)) ?? (yield* read(talliesFile, PartTallies))?.[index]
      })

    const put = (chunk: Chunk) =>
      Effect.suspend(() => {
        const counts = tally(chunk)
        const { records, problems } = split(chunk)
        const files = {
          "records.ndjson": Ndjson.lines(records),
          "tally.json": encoder.encode(`${encodeTally(counts)}\n`),
          ...(problems.length === 0
            ? {}
            : { "problems.ndjson": encoder.encode(problems.map((line) => `${line}\n`).join("")) })
        }
        return Effect.map(write(partOf(chunk.index), files, path.join(folder, unfinished)), () => {
          known.set(chunk.index, counts)
          return counts
        })
      })

    const join = (names: ReadonlyArray<string>, into: string) =>
      apart((own) =>
        Effect.gen(function* () {
          const contents = (name: string) =>
            names.map((part) => fs.stream(path.join(part, name), { chunkSize: 1 << 20 }))
          yield* flushed(path.join(own, into), joinedRecords(contents("records.ndjson"), into))
          yield* flushed(
            path.join(own, "problems.ndjson"),
            Stream.flatMap(Stream.fromIterable(contents("problems.ndjson")), (bytes) =>
              // Where there was no problem there is no file.
              Stream.catchReason(bytes, "PlatformError", "NotFound", () => Stream.empty)
            )
          )
          // Unless another has ended the harvest and taken the parts away, all at once: then this fails.
          yield* fs.stat(parts)
          yield* place(own, [into, "problems.ndjson"])
        })
      )

    const finish = (chunks: number) =>
      Effect.gen(function* () {
        const indexes = Array.from({ length: chunks }, (_, index) => index)
        const names = yield* listed
        const look = (index: number) => inPart(index, names)
        const found = yield* Effect.forEach(indexes, look, { concurrency: partsRead })
        const absent = indexes.filter((index) => found[index] === undefined)
        if (absent.length > 0) return yield* incomplete(folder, absent, chunks)
        const tallies = found.filter((part) => part !== undefined)
        const entry = { ...identity, chunks, tally: tallies.reduce(add, nothing), file: file ?? null }
        if (file !== undefined) {
          yield* join(
            tallies.map((_, index) => partOf(index)),
            file
          )
        }
        yield* apart((own) =>
          Effect.gen(function* () {
            yield* writeText(path.join(own, "chunks.json"), Schema.encodeSync(PartTallies)(tallies))
            yield* writeText(path.join(own, "manifest.json"), `${Schema.encodeSync(Manifest)(entry)}\n`)
            // The manifest last: what it says is there is there.
            yield* place(own, ["chunks.json", "manifest.json"])
          })
        )
        return entry
      })

    const complete = (chunks: number) =>
      Effect.gen(function* () {
        const over = Effect.map(manifest, (entry) => (entry?.chunks === chunks ? entry : undefined))
        const entry =
          (yield* over) ??
          (yield* Effect.catch(finish(chunks), (error) =>
            // Another may have ended it, and taken the parts away meanwhile.
            Effect.flatMap(over, (other) =>
              other === undefined ? Effect.fail(error) : Effect.succeed(other)
            )
          ))
        yield* sweep(entry.file !== null)
        return entry.tally
      })

    /** Takes away what is no longer needed: a writer that comes late finds no place, and is told what is kept. */
    const sweep = (isJoined: boolean) =>
      Effect.gen(function* () {
        if (isJoined && (yield* fs.exists(parts))) {
          yield* apart((own) => fs.rename(parts, path.join(own, "parts")))
        }
        for (const name of yield* fs.readDirectory(folder)) {
          if (name.startsWith(unfinished)) {
            yield* fs.remove(path.join(folder, name), { recursive: true, force: true })
          }
        }
      })

    yield* failing("open", claim)
    const isOver = (yield* failing("open", manifest)) !== undefined
    const before = yield* failing("open", listed)
    return {
      // A chunk that another writes meanwhile is asked for once more, and found when it is written: to look for each took
      // half a millisecond while others were flushed.
      written: (index) =>
        Effect.suspend(() => {
          const tally = known.get(index)
          if (tally !== undefined) return Effect.succeed(tally)
          return failing("read", isOver ? kept(index) : inPart(index, before))
        }),
      write: (chunk) =>
        failing(
          "write",
          Effect.catch(put(chunk), (error) =>
            // Another may have been first, or the harvest may be over: then what is kept holds.
            Effect.flatMap(kept(chunk.index), (other) =>
              other === undefined ? Effect.fail(error) : Effect.succeed(other)
            )
          )
        ),
      complete: (chunks) => failing("complete", complete(chunks))
    }
  })

const split = (
  chunk: Chunk
): { readonly records: ReadonlyArray<RawRecord.RawRecord>; readonly problems: ReadonlyArray<string> } => {
  const records: Array<RawRecord.RawRecord> = []
  const problems: Array<string> = []
  for (const outcome of chunk.outcomes) {
    if (outcome._tag === "Found") for (const record of outcome.records) records.push(record)
    else problems.push(Problem.toLine(outcome))
  }
  return { records, problems }
}

/** A disk that is full or a folder that is not there for the moment; not a file that is not ours. */
const isRetryable = (error: { readonly _tag: string }): boolean => error._tag === "PlatformError"
