/**
 * Measures the transforms on raw records against a plain program for Node. Both filter, de-duplicate, extend, sort and compress 200 MB of
 * NDJSON, as whole processes in turn, and must write the same records. Then measures the transforms of `chemstream convert` that hold records.
 */
import { once } from "node:events"
import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createGunzip } from "node:zlib"
import { compiled } from "./compiled.ts"
import { command } from "./job.ts"
import { log } from "./log.ts"
import { large } from "./ndjsonRecords.ts"
import type { Measured } from "./report.ts"
import { alternate } from "./rounds.ts"
import { median, mediansOf, quotients, short } from "./statistics.ts"
import * as WholeProcess from "./wholeProcess.ts"

const distinct = 61_000
const count = 67_000
const rounds = 9

/** Runs the benchmark, and reports its progress on standard error. */
export const measureTransforms = async (): Promise<Measured> => {
  const folder = await mkdtemp(join(tmpdir(), "transforms-"))
  try {
    const input = join(folder, "records.ndjson")
    log(`${count} full records into ${input}`)
    const bytes = await write(input)
    const output = (name: string): string => join(folder, `${name}.ndjson.gz`)
    const run = (name: string, program: string) => async (): Promise<number> => {
      const { seconds } = await WholeProcess.run([process.execPath, program, input], {
        env: {},
        output: output(name)
      })
      return seconds
    }
    const raw = await alternate(
      {
        "transforms of the package (s)": run("package", await compiled("transformsProcess.ts")),
        "plain Node (s)": run("plain", join(import.meta.dirname, "..", "peers", "transforms.mjs"))
      },
      rounds
    )
    if ((await text(output("package"))) !== (await text(output("plain"))))
      throw new Error("the two programs wrote other records")
    const ratios = quotients(raw["transforms of the package (s)"], raw["plain Node (s)"])
    return {
      figures: {
        "records of 3 kB": count,
        "megabytes of text": Math.round(bytes / 1e6),
        ...mediansOf(raw),
        "filter, unique, derive, sort, gzip: package / plain Node": short(median(ratios)),
        ...(await measureTables(folder))
      },
      raw
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const substances = 12_000
const properties = 40

/** The options of `chemstream convert` that hold records, over long records of properties. */
const held = {
  "top 1 of each substance": ["--top", "1", "--by", "propValue", "--per", "dtxsid"],
  "wide table": ["--wide", "propName,propUnit,modelName=propValue"],
  sort: ["--by", "propValue"]
} as const

/** Measures the time and the peak of the memory of the command, once for each option. */
export const measureTables = async (folder: string): Promise<Readonly<Record<string, number>>> => {
  const input = join(folder, "long.ndjson")
  const bytes = await writeLong(input)
  const figures: Record<string, number> = { "megabytes of long records": Math.round(bytes / 1e6) }
  for (const [name, options] of Object.entries(held)) {
    const { seconds, usage } = await WholeProcess.run(
      [process.execPath, command, "convert", input, ...options],
      { env: {}, output: join(folder, "table.ndjson"), usage: true }
    )
    figures[`${name} (s)`] = short(seconds)
    figures[`${name}, peak of the memory (MiB)`] = Math.round(usage?.memory ?? 0)
  }
  return figures
}

/** Writes a record for each property of each substance. */
const writeLong = async (file: string): Promise<number> => {
  const out = createWriteStream(file)
  for (let n = 0; n < substances; n++) {
    const lines = Array.from({ length: properties }, (_, property) => {
      const record = {
        dtxsid: `DTXSID${String(n).padStart(10, "0")}`,
        propName: `Property ${property % 20}`,
        modelName: property < 20 ? "OPERA" : "TEST",
        propUnit: "log10 mol/L",
        propValue: ((n * 7919 + property * 104_729) % 100_000) / 1000,
        sourceDescription: "A model. ".repeat(30)
      }
      return `${JSON.stringify(record)}\n`
    })
    if (!out.write(lines.join(""))) await once(out, "drain")
  }
  out.end()
  await once(out, "finish")
  return out.bytesWritten
}

/** Writes the records, a tenth of them twice, and returns the number of bytes. */
const write = async (file: string): Promise<number> => {
  const { records } = large(distinct)
  const out = createWriteStream(file)
  for (let n = 0; n < count; n++)
    if (!out.write(`${JSON.stringify(records[n % distinct])}\n`)) await once(out, "drain")
  out.end()
  await once(out, "finish")
  return out.bytesWritten
}

const text = async (file: string): Promise<string> => {
  const pieces: Array<Buffer> = []
  for await (const piece of createReadStream(file).pipe(createGunzip())) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}
