/**
 * Measures the NDJSON codec against hand-written code, in one process. Every round runs every case once, and a ratio is the median over
 * the rounds. All cases read the same chunks of 64 KiB, and keep nothing.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { loadavg } from "node:os"
import { Readable } from "node:stream"
import { Ndjson, RawArray, RawRecord, RawShape } from "@chemstream/ndjson"
import { Effect, Result, Stream } from "effect"
import { Ndjson as Stock } from "effect/encoding"
import split2 from "split2"
import { smallYoungGeneration, withSmallYoungGeneration } from "./child.ts"
import { compiled } from "./compiled.ts"
import { large, type Sample, small } from "./ndjsonRecords.ts"
import type { Figures } from "./report.ts"
import { alternate, timed } from "./rounds.ts"
import { median, short } from "./statistics.ts"

const CHUNK_BYTES = 64 * 1024

const ROUNDS = 31

export interface Options {
  /** The size of each sample, in MiB. */
  readonly mebibytes: number
  /** The gigabytes to pipe through a process to measure its memory. 0: it is not measured. */
  readonly piped: number
}

/** Runs a case once, and returns its number of records. */
type Case = () => number | Promise<number>

/** Returns all figures by name: MB/s of NDJSON text, their ratios, and MiB. */
export const measureNdjson = async ({ mebibytes, piped }: Options): Promise<Figures> => {
  const figures: Record<string, number> = { "load average of the machine before": short(loadavg()[0] ?? 0) }
  const bytes = mebibytes * 2 ** 20
  for (const sample of [large(Math.ceil(bytes / 3000)), small(Math.ceil(bytes / 100))])
    Object.assign(figures, await measureSample(sample))
  if (piped > 0)
    for (const { name, records } of [large(300), small(10_000)]) {
      const piece = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(""))
      for (const suffix of ["", withSmallYoungGeneration])
        for (const form of ["bytes", "records", "values"])
          figures[`${name}: ${piped} GB piped through as ${form}${suffix}: peak memory (MiB)`] =
            await pipeThrough(
              form,
              piece,
              piped * 1e9,
              suffix === withSmallYoungGeneration ? [smallYoungGeneration] : []
            )
    }
  return figures
}

const measureSample = async ({ name, records }: Sample): Promise<Figures> => {
  const lines = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(""))
  const body = Buffer.from(JSON.stringify(records))
  const figures: Record<string, number> = {
    [`${name}: bytes a record`]: Math.round(lines.length / records.length)
  }
  for (const [base, cases] of [
    decodeCases(chunksOf(lines)),
    rawCases(chunksOf(lines)),
    arrayCases(body, shapeOf(records)),
    encodeCases(records)
  ] as const) {
    const times = await measure(cases, records.length)
    for (const [what, of] of Object.entries(times)) {
      figures[`${name}: ${what} (MB/s)`] = short(lines.length / 1e6 / median(of))
      if (what === base) continue
      const ratios = of.map((time, round) => (times[base]?.[round] ?? Number.NaN) / time)
      figures[`${name}: ${what} / ${base}`] = short(median(ratios))
    }
  }
  return figures
}

/** Returns the seconds of every round of every case. */
const measure = (
  cases: Readonly<Record<string, Case>>,
  count: number
): Promise<Record<string, Array<number>>> => {
  const measures = Object.entries(cases).map(
    ([name, run]) =>
      [
        name,
        () =>
          timed(async () => {
            const seen = await run()
            if (seen !== count) throw new Error(`${name} saw ${seen} records of ${count}`)
          })
      ] as const
  )
  return alternate(Object.fromEntries(measures), ROUNDS, 2)
}

type Cases = readonly [base: string, cases: Readonly<Record<string, Case>>]

const chunksOf = (bytes: Buffer): ReadonlyArray<Buffer> =>
  Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, n) =>
    bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES)
  )

const decodeCases = (chunks: ReadonlyArray<Buffer>): Cases => [
  "bare loop",
  {
    "bare loop": () =>
      bareLines(chunks, (bytes, start, end) => void JSON.parse(bytes.toString("utf8", start, end))),
    "split2 and JSON.parse": async () => {
      let seen = 0
      const values = Readable.from(chunks, { objectMode: false }).pipe(split2(JSON.parse))
      values.on("data", () => seen++)
      await once(values, "end")
      return seen
    },
    "effect/encoding decode": () => count(source(chunks).pipe(Stream.pipeThroughChannel(Stock.decode()))),
    decode: () => count(source(chunks).pipe(Ndjson.decode()))
  }
]

const rawCases = (chunks: ReadonlyArray<Buffer>): Cases => [
  "bare split",
  {
    "bare split": () => bareLines(chunks, (bytes, start, end) => void bytes.subarray(start, end)),
    decodeRaw: () => count(source(chunks).pipe(Ndjson.decodeRaw()))
  }
]

const arrayCases = (body: Buffer, shape: RawShape.RawShape): Cases => {
  const chunks = chunksOf(body)
  return [
    "parse and stringify an array",
    {
      "parse and stringify an array": () => {
        const records: ReadonlyArray<unknown> = JSON.parse(body.toString())
        let text = ""
        for (const record of records) text += `${JSON.stringify(record)}\n`
        return Buffer.from(text).length > 0 ? records.length : 0
      },
      "array to lines": () =>
        counting((seen) => source(chunks).pipe(RawArray.decode(), seen, Ndjson.encodeRaw())),
      "array to lines, key and kinds": () =>
        counting((seen) =>
          source(chunks).pipe(
            RawArray.decodeWith(shape),
            Stream.mapArray((readings) => {
              for (const { key, drift } of readings)
                if (typeof key !== "string" || drift.length > 0) throw new Error(`${key} does not fit`)
              return readings
            }),
            seen,
            Ndjson.encodeRaw()
          )
        ),
      "array to lines, whole grammar checked": () =>
        counting((seen) =>
          source(chunks).pipe(
            RawArray.decode(),
            Stream.mapArray((records) => {
              for (const record of records) Result.getOrThrow(RawRecord.check(record))
              return records
            }),
            seen,
            Ndjson.encodeRaw()
          )
        )
    }
  ]
}

const encodeCases = (records: ReadonlyArray<unknown>): Cases => [
  "bare stringify loop",
  {
    "bare stringify loop": () => {
      let text = ""
      let bytes = 0
      for (const record of records) {
        text += `${JSON.stringify(record)}\n`
        if (text.length < CHUNK_BYTES) continue
        bytes += Buffer.from(text).length
        text = ""
      }
      return bytes + Buffer.from(text).length > 0 ? records.length : 0
    },
    encode: () => counting((seen) => Stream.fromIterable(records).pipe(seen, Ndjson.encode()))
  }
]

// A hand-written loop. It puts the rest of a chunk before the next one.
const bareLines = (
  chunks: ReadonlyArray<Buffer>,
  line: (bytes: Buffer, start: number, end: number) => void
): number => {
  let seen = 0
  let rest: Buffer | undefined
  for (const chunk of chunks) {
    const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    for (let lf = bytes.indexOf(10); lf !== -1; lf = bytes.indexOf(10, at)) {
      line(bytes, at, lf)
      seen++
      at = lf + 1
    }
    rest = at < bytes.length ? bytes.subarray(at) : undefined
  }
  return seen
}

const source = (chunks: ReadonlyArray<Uint8Array>): Stream.Stream<Uint8Array> =>
  Stream.fromIterable(chunks, { chunkSize: 1 })

const count = (stream: Stream.Stream<unknown, unknown>): number => {
  let seen = 0
  Effect.runSync(
    Stream.runForEachArray(stream, (items) => {
      seen += items.length
      return Effect.void
    })
  )
  return seen
}

// Counts items in the middle of a stream of bytes.
const counting = (
  make: (seen: <A, E>(self: Stream.Stream<A, E>) => Stream.Stream<A, E>) => Stream.Stream<Uint8Array, unknown>
): number => {
  let seen = 0
  count(
    make(
      Stream.mapArray((items) => {
        seen += items.length
        return items
      })
    )
  )
  return seen
}

const shapeOf = (records: ReadonlyArray<Readonly<Record<string, unknown>>>): RawShape.RawShape => {
  const required = Object.keys(records[0] ?? {})
  const kindOf = (value: unknown): RawRecord.Kind =>
    value === null ? "null" : (typeof value as RawRecord.Kind)
  const kinds = required.map(
    (field) => [field, [...new Set(records.map((record) => kindOf(record[field])))]] as const
  )
  return RawShape.make({ kinds: Object.fromEntries(kinds), required, key: "dtxsid" })
}

const pipeThrough = async (
  form: string,
  piece: Buffer,
  bytes: number,
  flags: ReadonlyArray<string>
): Promise<number> => {
  const child = spawn(process.execPath, [...flags, await compiled("ndjsonPipe.ts"), form], {
    stdio: ["pipe", "pipe", "inherit", "ipc"]
  })
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error("the process has no pipes")
  let passed = 0
  stdout.on("data", (chunk: Buffer) => {
    passed += chunk.length
  })
  const finished = Promise.all([once(child, "message"), once(stdout, "end")])
  let sent = 0
  for (; sent < bytes; sent += piece.length) if (!stdin.write(piece)) await once(stdin, "drain")
  stdin.end()
  const [[memory]] = await finished
  if (passed !== sent) throw new Error(`${passed} bytes came out of ${sent}`)
  return memory as number
}
