/**
 * Keeps the responses of a run that are not in its output yet, because an earlier value is not settled. A run that stops saves them in
 * `FILE.received`, and the run that continues it does not request them again.
 *
 * A line of the file has a value as JSON text, a tab, and its record. A value without a record has no text after the tab.
 */
import { existsSync } from "node:fs"
import { readFile, rm } from "node:fs/promises"
import { RawRecord } from "@chemstream/ndjson"
import { WholeFile } from "@chemstream/ndjson/node"
import type { Lookup, Outcome } from "@chemstream/stream"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, type Scope } from "effect"
import type { CommandFailure } from "../CommandFailure.ts"
import { writeFailure } from "../output/outputPlace.ts"
import * as Messages from "../terminal/messages.ts"

type Records = ReadonlyArray<RawRecord.RawRecord>

type Response = Effect.Success<ReturnType<Lookup.Lookup<RawRecord.RawRecord, unknown>["requestBatch"]>>

export interface Received {
  /** Returns a lookup that requests no value whose response was received by the earlier run. */
  readonly lookup: <E>(lookup: Lookup.Lookup<RawRecord.RawRecord, E>) => Lookup.Lookup<RawRecord.RawRecord, E>
  /** Records that outcomes are in the output. */
  readonly written: (outcomes: ReadonlyArray<Outcome.Outcome<unknown, unknown>>) => void
}

/** Opens the file. Saves it when the scope closes, or removes it if nothing is left. `isContinued`: whether to read it first. */
export const open = (file: string, isContinued: boolean): Effect.Effect<Received, never, Scope.Scope> =>
  Effect.gen(function* () {
    const earlier: ReadonlyMap<string, Records> =
      isContinued && existsSync(file) ? yield* Effect.promise(() => read(file)) : new Map()
    const unwritten = new Map(earlier)
    yield* Effect.addFinalizer(() =>
      Effect.catch(save(file, unwritten), ({ message }) =>
        Effect.sync(() => Messages.say(`chemstream: ${message}; the next run requests these values again\n`))
      )
    )
    return {
      written: (outcomes) => {
        for (const outcome of outcomes) if ("id" in outcome) unwritten.delete(outcome.id as string)
      },
      lookup: (lookup) => ({
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
      })
    }
  })

/** The values that a response settles for certain, with their records. */
const certain = (
  ids: ReadonlyArray<string>,
  { doubt, errors, records, suggestions, surplus, truncated }: Response
): ReadonlyMap<string, Records> => {
  const found = Map.groupBy(records, ({ key }) => key)
  const isClear = doubt === undefined && (surplus ?? []).length === 0
  const settled = ids.filter(
    (id) => (isClear || found.has(id)) && !(errors?.has(id) || suggestions?.has(id) || truncated?.has(id))
  )
  return new Map(settled.map((id) => [id, (found.get(id) ?? []).map(({ record }) => record)]))
}

const read = async (file: string): Promise<ReadonlyMap<string, Records>> => {
  const known = new Map<string, Array<RawRecord.RawRecord>>()
  for (const line of (await readFile(file, "utf8")).split("\n").slice(0, -1)) {
    const tab = line.indexOf("\t")
    const id = JSON.parse(line.slice(0, tab)) as string
    const records = known.get(id) ?? []
    known.set(id, records)
    if (tab < line.length - 1) records.push(RawRecord.fromText(line.slice(tab + 1)))
  }
  return known
}

const save = (file: string, unwritten: ReadonlyMap<string, Records>): Effect.Effect<void, CommandFailure> =>
  (unwritten.size === 0
    ? Effect.promise(() => rm(file, { force: true }))
    : WholeFile.write(file, Buffer.concat([...unwritten].flatMap(([id, records]) => linesOf(id, records))))
  ).pipe(
    Effect.mapError((error) => writeFailure(file, error.reason.cause ?? error)),
    Effect.provide(NodeServices.layer)
  )

const linesOf = (id: string, records: Records): ReadonlyArray<Uint8Array> => {
  const start = Buffer.from(`${JSON.stringify(id)}\t`)
  const end = Buffer.from("\n")
  if (records.length === 0) return [start, end]
  return records.flatMap((record) => [start, RawRecord.toLine(record), end])
}
