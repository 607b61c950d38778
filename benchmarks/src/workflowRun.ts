/**
 * Runs many identifiers to NDJSON, by a stream alone, or as a durable harvest in the same process. The harvest uses a SQLite file and a
 * folder of parts.
 */

import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { join } from "node:path"
import { ChemClient, type InvalidOption } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { Ndjson } from "@chemstream/ndjson"
import { Details, Identifiers, Lookup } from "@chemstream/stream"
import { Database, Harvest, type Sink, Source, Worker } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Redacted, Stream } from "effect"

/** The settings of a run. */
export interface Run {
  readonly url: string
  readonly count: number
  /** The number of identifiers in a chunk, which is one call. */
  readonly chunk: number
  /** The number of chunks in flight. */
  readonly concurrency: number
  /** Returns this many distinct identifiers of the service. */
  readonly ids: (count: number) => Iterable<string>
}

/** The client of all runs. */
export const client = (url: string): Layer.Layer<ChemClient.ChemClient, InvalidOption.InvalidOption> =>
  ChemClient.layer({ baseUrl: url, apiKey: Redacted.make("benchmark") }).pipe(
    Layer.provide(Transport.layer())
  )

/** Runs the stream alone into a file, and returns the number of records. */
export const plain = async (
  folder: string,
  { chunk, concurrency, count, ids, url }: Run
): Promise<number> => {
  const out = createWriteStream(join(folder, "plain.ndjson"))
  let records = 0
  const write = (bytes: Uint8Array): Effect.Effect<void> =>
    out.write(bytes) ? Effect.void : Effect.promise(() => once(out, "drain"))
  await Lookup.outcomes(Identifiers.fromIterable(ids(count)), Details.byDtxsid(), {
    batchSize: chunk,
    concurrency
  }).pipe(
    Stream.runForEachArray((outcomes) => {
      const found = outcomes.flatMap((outcome) => (outcome._tag === "Found" ? outcome.records : []))
      records += found.length
      return write(Ndjson.lines(found))
    }),
    Effect.provide(client(url)),
    Effect.runPromise
  )
  out.end()
  await once(out, "close")
  return records
}

/** Runs a durable harvest, and returns the number of records. */
export const durable = (folder: string, run: Run): Promise<number> => {
  const sink: Sink.Spec = { _tag: "Folder", folder: join(folder, "out") }
  const worker = Worker.layer({ concurrency: run.concurrency }).pipe(
    Layer.provide(client(run.url)),
    Layer.provideMerge(Database.layerSqlite(join(folder, "harvests.db")))
  )
  return start(run, sink).pipe(
    Effect.andThen(Harvest.awaitEnd(name, "50 millis")),
    Effect.map(({ tally }) => tally.records),
    Effect.provide(worker),
    Effect.provide(NodeServices.layer),
    Effect.runPromise
  )
}

/** The name of every harvest. */
export const name = "benchmark"

/** Records the harvest of a run. */
export const start = ({ chunk, count, ids }: Run, sink: Sink.Spec) =>
  Harvest.start({
    name,
    source: Source.list([...ids(count)]),
    fetch: { lookup: "Details.byDtxsid" },
    sink,
    chunkSize: chunk
  })
