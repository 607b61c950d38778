/**
 * One harvest over many identifiers to NDJSON, by a stream alone or as a durable harvest in the same process: a SQLite
 * file for what is done, a folder of parts for the outcomes.
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

/** What is run, against which service. */
export interface Run {
  readonly url: string
  readonly count: number
  /** Identifiers a chunk, which is one call. */
  readonly chunk: number
  /** Chunks in flight. */
  readonly concurrency: number
  /** So many distinct identifiers that the service has. */
  readonly ids: (count: number) => Iterable<string>
}

/** The client of all runs. */
export const client = (url: string): Layer.Layer<ChemClient.ChemClient, InvalidOption.InvalidOption> =>
  ChemClient.layer({ baseUrl: url, apiKey: Redacted.make("benchmark") }).pipe(
    Layer.provide(Transport.layer())
  )

/** By the stream alone, into a file; says how many records it has written. */
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

/** As a durable harvest, from its start to its end. */
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
