/**
 * Keeps the responses of a run that are not in its output yet, because an earlier value is not settled. A run that stops saves them in
 * `FILE.received`, and the run that continues it does not request them again.
 *
 * A line of the file is the JSON text of a value, a tab, and that of its record. A value without a record has no text after the tab.
 */
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { RawRecord } from "@chemstream/ndjson"
import { WholeFile } from "@chemstream/ndjson/node"
import type { Lookup, Outcome } from "@chemstream/stream"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, type Scope } from "effect"
import type { CommandFailure } from "../CommandFailure.ts"
import { writeFailure } from "../output/outputPlace.ts"
import type * as Store from "../output/store.ts"
import * as Messages from "../terminal/messages.ts"

type Response<R> = Effect.Success<ReturnType<Lookup.Lookup<R, unknown>["requestBatch"]>>

export interface Received<R> {
  /** The lookup, which requests no value whose response was received by the earlier run. */
  readonly lookup: Lookup.Lookup<R>
  /** Records that outcomes are in the output. */
  readonly written: (outcomes: ReadonlyArray<Outcome.Outcome<unknown, unknown>>) => void
}

/**
 * Opens the file of a store. Saves it when the scope closes, or removes it if nothing is left. The records of the lookup are JSON values,
 * and may contain raw records.
 */
export const open = <R>(
  lookup: Lookup.Lookup<R>,
  { earlier: earlierMillis, received: file }: Store.Store
): Effect.Effect<Received<R>, never, Scope.Scope> =>
  Effect.gen(function* () {
    if (file === undefined) return { lookup, written: () => {} }
    const isContinued = earlierMillis > 0 && existsSync(file)
    const earlier = isContinued
      ? yield* Effect.catch(
          Effect.tryPromise(() => read<R>(file)),
          () => damaged<R>(file)
        )
      : new Map<string, ReadonlyArray<R>>()
    const unwritten = new Map(earlier)
    yield* Effect.addFinalizer(() =>
      Effect.catch(save(file, unwritten), ({ message }) =>
        Effect.sync(() => Messages.say(`chemstream: ${message}; the next run requests these values again\n`))
      )
    )
    const written: Received<R>["written"] = (outcomes) => {
      for (const outcome of outcomes) if (outcome._tag !== "Surplus") unwritten.delete(outcome.id)
    }
    return {
      written,
      lookup: {
        ...lookup,
        requestBatch: (ids, inspection) => {
          const others = ids.filter((id) => !earlier.has(id))
          const known = ids.flatMap((id) => (earlier.get(id) ?? []).map((record) => ({ key: id, record })))
          if (others.length === 0) return Effect.succeed({ records: known })
          return Effect.map(lookup.requestBatch(others, inspection), (result) => {
            for (const [id, records] of certain(others, result)) unwritten.set(id, records)
            return { ...result, records: [...known, ...result.records] }
          })
        }
      }
    }
  })

/** The values that a response settles for certain, with their records. */
const certain = <R>(
  ids: ReadonlyArray<string>,
  { doubt, errors, records, suggestions, surplus, truncated }: Response<R>
): ReadonlyMap<string, ReadonlyArray<R>> => {
  const found = Map.groupBy(records, ({ key }) => key)
  const isClear = doubt === undefined && (surplus ?? []).length === 0
  const settled = ids.filter(
    (id) => (isClear || found.has(id)) && !(errors?.has(id) || suggestions?.has(id) || truncated?.has(id))
  )
  return new Map(settled.map((id) => [id, (found.get(id) ?? []).map(({ record }) => record)]))
}

const damaged = <R>(file: string): Effect.Effect<ReadonlyMap<string, ReadonlyArray<R>>> =>
  Effect.sync(() => {
    Messages.say(`chemstream: cannot read ${file}: it is damaged. Its values are requested again\n`)
    return new Map()
  })

const read = async <R>(file: string): Promise<ReadonlyMap<string, ReadonlyArray<R>>> => {
  const known = new Map<string, Array<R>>()
  for (const line of (await readFile(file, "utf8")).split("\n").slice(0, -1)) {
    const tab = line.indexOf("\t")
    const id = JSON.parse(line.slice(0, tab)) as string
    const records = known.get(id) ?? []
    known.set(id, records)
    if (tab < line.length - 1) records.push(JSON.parse(line.slice(tab + 1), revive) as R)
  }
  return known
}

const save = <R>(
  file: string,
  unwritten: ReadonlyMap<string, ReadonlyArray<R>>
): Effect.Effect<void, CommandFailure> =>
  (unwritten.size === 0
    ? Effect.flatMap(FileSystem.FileSystem, (files) => files.remove(file, { force: true }))
    : WholeFile.write(file, Buffer.concat([...unwritten].flatMap(([id, records]) => linesOf(id, records))))
  ).pipe(
    Effect.mapError((error) => writeFailure(file, error.reason.cause ?? error)),
    Effect.provide(NodeServices.layer)
  )

const linesOf = <R>(id: string, records: ReadonlyArray<R>): ReadonlyArray<Uint8Array> =>
  (records.length === 0 ? [""] : records.map((record) => JSON.stringify(record, replace))).map((record) =>
    Buffer.from(`${JSON.stringify(id)}\t${record}\n`)
  )

/** The name of the only field of an object that stands for a raw record: its JSON text. */
const raw = "\u0000raw"

/** `value` is what `toJSON` of a raw record has parsed. */
function replace(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  const own = this[key]
  return RawRecord.isRawRecord(own) ? { [raw]: RawRecord.toText(own) } : value
}

const revive = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && raw in value ? RawRecord.fromText(String(value[raw])) : value
