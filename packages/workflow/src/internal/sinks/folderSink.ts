/**
 * Stores a harvest in a folder that all workers can open. Each chunk is a part (`folderParts.ts`). The end of the harvest
 * adds a manifest and, if `file` is given, one file of all records (`joinRecords.ts`).
 */

import { randomUUID } from "node:crypto"
import type { Table } from "@chemstream/ndjson"
import { Effect, type FileSystem, Option, type Path, Schema, Stream } from "effect"
import { addTallies, emptyTally, type Identity, type Sink, type SinkError, Tally } from "../../Sink.ts"
import { chunkIndexes } from "../harvest/chunkIndexes.ts"
import { type Files, make as filesOf, temporaryPrefix } from "./atomicFiles.ts"
import { type Parts, make as partsOf } from "./folderParts.ts"
import { joinRecords } from "./joinRecords.ts"
import { incompleteSink, occupiedSink, toSinkError, unusableSink } from "./sinkErrors.ts"

/** The harvest that a folder stores, with the mark of the folder (`Sink.claim`). */
const Harvest = Schema.fromJsonString(
  Schema.Struct({ harvest: Schema.String, source: Schema.String, claim: Schema.String })
)

/** The manifest of a finished harvest. Once it exists, the parts are not needed. */
const Manifest = Schema.fromJsonString(
  Schema.Struct({
    harvest: Schema.String,
    source: Schema.String,
    chunks: Schema.Natural,
    tally: Tally,
    /** The joined file. Null: the parts stay. */
    file: Schema.NullOr(Schema.String),
    /** The length of each joined file, in bytes. */
    files: Schema.Record(Schema.String, Schema.Natural)
  })
)

const Tallies = Schema.fromJsonString(Schema.Array(Tally))

/** The number of parts that are read at the same time. */
const readConcurrency = 16

/** The file with the harvest of a folder. */
const harvestFile = "harvest.json"
const manifestFile = "manifest.json"
const countsFile = "chunks.json"
const problemsFile = "problems.ndjson"

/** Returns the name of the harvest in a folder, or undefined if there is none. Fails if a part of its path is a file. */
export const holder = (
  folder: string
): Effect.Effect<string | undefined, SinkError, FileSystem.FileSystem | Path.Path> =>
  Effect.flatMap(filesOf(folder), (files) =>
    files.read(files.pathOf(harvestFile), Harvest).pipe(
      Effect.map((found) => found?.harvest),
      // If the folder cannot be read, `open` reports the error.
      Effect.catch(() => Effect.as(refuseFile(files), undefined))
    )
  )

/** Fails if a part of the path of a folder is a file. */
const refuseFile = ({ folder, fs, path }: Files): Effect.Effect<void, SinkError> =>
  Effect.gen(function* () {
    const typeOf = (name: string) =>
      Effect.option(Effect.map(fs.stat(name), (info) => info.type)).pipe(Effect.map(Option.getOrUndefined))
    let place = path.resolve(folder)
    while ((yield* typeOf(place)) === undefined && path.dirname(place) !== place) place = path.dirname(place)
    const type = yield* typeOf(place)
    if (type === undefined || type === "Directory") return
    const reason = `${place} is a file, and a harvest writes into a folder`
    return yield* unusableSink(folder, `cannot open ${folder}: ${reason}. Remove it, or name another output`)
  })

/** Opens a folder, and creates it if necessary. `file` is the name of the joined file. */
export const open = (
  folder: string,
  file: string | undefined,
  columns: ReadonlyArray<Table.Column>,
  identity: Identity
): Effect.Effect<Sink, SinkError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* filesOf(folder)
    const parts = partsOf(files)
    const asSinkError = toSinkError(folder)
    /**
     * Returns the counts of a stored chunk from its part or, after the parts are removed, from the list of all
     * chunks.
     */
    const storedTally = (index: number) =>
      Effect.gen(function* () {
        const tally = yield* parts.storedTally(index)
        if (tally !== undefined || (yield* manifestIn(files)) === undefined) return tally
        return (yield* files.read(files.pathOf(countsFile), Tallies))?.[index]
      })
    return {
      claim: yield* asSinkError("open", claimFolder(files, identity)),
      storedTally: (index) => asSinkError("read", storedTally(index)),
      write: (chunk) =>
        asSinkError(
          "write",
          Effect.catch(parts.write(chunk), (error) =>
            // Another worker may have stored the chunk or finished the harvest. The stored chunk then counts.
            Effect.flatMap(storedTally(chunk.index), (other) =>
              other === undefined ? Effect.fail(error) : Effect.succeed(other)
            )
          )
        ),
      complete: (chunks) =>
        asSinkError("complete", complete(files, parts, { file, columns, identity, chunks })),
      missingChunks: (chunks) => asSinkError("read", missingChunks(files, parts, chunks)),
      failedIdentifiers: (index) => asSinkError("read", parts.failedIdentifiers(index)),
      amend: (chunk) => asSinkError("write", Effect.andThen(reopen(files), parts.amend(chunk)))
    }
  })

const manifestIn = ({ pathOf, read }: Files) => read(pathOf(manifestFile), Manifest)

const writeText = ({ path, write }: Files, folder: string, name: string, text: string) =>
  write(path.join(folder, name), Stream.make(new TextEncoder().encode(`${text}\n`)))

/** Records the harvest in the folder, and returns the mark. The first writer wins. */
const claimFolder = (files: Files, { harvest, source }: Identity) =>
  Effect.gen(function* () {
    const { inTemporaryFolder, pathOf, folder, fs, path, read } = files
    yield* Effect.tapError(fs.makeDirectory(folder, { recursive: true }), () => refuseFile(files))
    if ((yield* read(pathOf(harvestFile), Harvest)) === undefined) {
      const text = Schema.encodeSync(Harvest)({ harvest, source, claim: randomUUID() })
      yield* inTemporaryFolder((own) =>
        Effect.andThen(
          writeText(files, own, harvestFile, text),
          fs
            .link(path.join(own, harvestFile), pathOf(harvestFile))
            .pipe(Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.void))
        )
      )
    }
    const recorded = yield* read(pathOf(harvestFile), Harvest)
    if (recorded?.harvest !== harvest || recorded.source !== source) {
      const other = recorded?.harvest === harvest ? "of another source" : `"${recorded?.harvest}"`
      return yield* occupiedSink(folder, `the harvest ${other}`, "name another folder, or remove this one")
    }
    if ((yield* manifestIn(files)) === undefined)
      yield* fs.makeDirectory(pathOf("parts"), { recursive: true })
    return recorded.claim
  })

/** Removes the manifest, so that the parts count again. */
const reopen = ({ pathOf, fs }: Files) =>
  Effect.andThen(
    fs.remove(pathOf(manifestFile), { force: true }),
    fs.makeDirectory(pathOf("parts"), { recursive: true })
  )

/** Returns the chunks without a whole part, and removes what is left of them. Joined files need no parts. */
const missingChunks = (files: Files, parts: Parts, chunks: number) =>
  Effect.gen(function* () {
    const manifest = yield* manifestIn(files)
    if (manifest !== undefined && manifest.file !== null) {
      if (yield* files.hasFiles(files.folder, manifest.files)) return []
      yield* reopen(files)
    }
    const indexes = chunkIndexes(chunks)
    const whole = yield* Effect.forEach(indexes, parts.isWhole, { concurrency: readConcurrency })
    const lost = indexes.filter((index) => !whole[index])
    if (lost.length > 0) yield* reopen(files)
    for (const index of lost) yield* files.fs.remove(parts.folderOf(index), { recursive: true, force: true })
    return lost
  })

interface Completion {
  readonly file: string | undefined
  readonly columns: ReadonlyArray<Table.Column>
  readonly identity: Identity
  readonly chunks: number
}

/** Completes the folder, unless a worker has done so already. */
const complete = (files: Files, parts: Parts, completion: Completion) =>
  Effect.gen(function* () {
    const finishedManifest = Effect.map(manifestIn(files), (found) =>
      found?.chunks === completion.chunks ? found : undefined
    )
    const manifest =
      (yield* finishedManifest) ??
      (yield* Effect.catch(finish(files, parts, completion), (error) =>
        // Another worker may have finished it and moved the parts away.
        Effect.flatMap(finishedManifest, (other) =>
          other === undefined ? Effect.fail(error) : Effect.succeed(other)
        )
      ))
    // The parts stay while some identifiers have failed, so that `retry` can request them again.
    yield* removeLeftovers(files, manifest.file !== null && manifest.tally.failed === 0)
    return manifest.tally
  })

/** Joins the parts, and writes the counts of the chunks and the manifest. Returns the manifest. */
const finish = (files: Files, parts: Parts, { chunks, columns, file, identity }: Completion) =>
  Effect.gen(function* () {
    const indexes = chunkIndexes(chunks)
    const found = yield* Effect.forEach(indexes, parts.storedTally, { concurrency: readConcurrency })
    const tallies = found.filter((stored) => stored !== undefined)
    if (tallies.length < chunks) {
      const lost = indexes.filter((index) => found[index] === undefined)
      return yield* incompleteSink(files.folder, lost, chunks)
    }
    const joined = file === undefined ? {} : yield* join(files, indexes.map(parts.folderOf), file, columns)
    const { harvest, source } = identity
    const tally = tallies.reduce(addTallies, emptyTally)
    const manifest = { harvest, source, chunks, tally, file: file ?? null, files: joined }
    yield* files.inTemporaryFolder((own) =>
      Effect.gen(function* () {
        yield* writeText(files, own, countsFile, Schema.encodeSync(Tallies)(tallies))
        yield* writeText(files, own, manifestFile, Schema.encodeSync(Manifest)(manifest))
        // The manifest is placed last, so that everything in it exists.
        yield* files.moveIn(own, [countsFile, manifestFile])
      })
    )
    return manifest
  })

/** Joins the records of all parts to one file and their problems to another, and returns the lengths. */
const join = (
  files: Files,
  folders: ReadonlyArray<string>,
  into: string,
  columns: ReadonlyArray<Table.Column>
) =>
  files.inTemporaryFolder((own) =>
    Effect.gen(function* () {
      const { pathOf, fs, path, moveIn, write } = files
      const contents = (name: string) =>
        folders.map((folder) => fs.stream(path.join(folder, name), { chunkSize: 1 << 20 }))
      const lengths = {
        [into]: yield* write(path.join(own, into), joinRecords(contents("records.ndjson"), into, columns)),
        [problemsFile]: yield* write(
          path.join(own, problemsFile),
          Stream.flatMap(Stream.fromIterable(contents(problemsFile)), (bytes) =>
            // A part without problems has no problems file.
            Stream.catchReason(bytes, "PlatformError", "NotFound", () => Stream.empty)
          )
        )
      }
      // Fails if another worker has finished the harvest and moved the parts away.
      yield* fs.stat(pathOf("parts"))
      yield* moveIn(own, Object.keys(lengths))
      return lengths
    })
  )

/** Removes files that are no longer needed. A late writer then cannot write its part, and returns the stored counts. */
const removeLeftovers = ({ inTemporaryFolder, pathOf, folder, fs, path }: Files, isJoined: boolean) =>
  Effect.gen(function* () {
    if (isJoined && (yield* fs.exists(pathOf("parts"))))
      yield* inTemporaryFolder((own) => fs.rename(pathOf("parts"), path.join(own, "parts")))
    for (const name of yield* fs.readDirectory(folder)) {
      if (name.startsWith(temporaryPrefix)) yield* fs.remove(pathOf(name), { recursive: true, force: true })
    }
  })
