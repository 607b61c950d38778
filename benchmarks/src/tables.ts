/**
 * Measures the command with a table as output, against an NDJSON file of the same records, as whole processes.
 */
import { rm } from "node:fs/promises"
import { join } from "node:path"
import * as Postgres from "../../packages/workflow/test/postgres.ts"
import { byCommand, type Job, withJob } from "./job.ts"
import { log } from "./log.ts"
import type { Measured } from "./report.ts"
import { alternate } from "./rounds.ts"
import { median, mediansOf, quotients, short } from "./statistics.ts"
import * as WholeProcess from "./wholeProcess.ts"

const rounds = 3

const count = 20_000

/** Runs the benchmark, and reports its progress on standard error. */
export const measureTables = (): Promise<Measured> =>
  withJob(count, { records: "full", latency: 0, remember: true }, intoTables)

const intoTables = async (job: Job): Promise<Measured> => {
  log(`${count} full records into NDJSON, SQLite, DuckDB and Postgres`)
  const postgres = await Postgres.start()
  try {
    let tables = 0
    const into = (output: () => string) => async (): Promise<number> => {
      for (const extension of [".ndjson", ".sqlite", ".duckdb"])
        await rm(join(job.folder, `table${extension}`), { force: true })
      const program = [...byCommand(job), "--output", output()] as const
      const { seconds } = await WholeProcess.run(program as unknown as WholeProcess.Program, {
        env: job.env,
        output: join(job.folder, "nothing")
      })
      return seconds
    }
    const raw = await alternate(
      {
        "NDJSON in a file (s)": into(() => join(job.folder, "table.ndjson")),
        "a table of SQLite (s)": into(() => `${join(job.folder, "table.sqlite")}#details`),
        "a table of DuckDB (s)": into(() => `${join(job.folder, "table.duckdb")}#details`),
        "a table of Postgres (s)": into(() => `${postgres.url}#details_${tables++}`)
      },
      rounds
    )
    const ndjson = raw["NDJSON in a file (s)"]
    const ratioOf = (name: keyof typeof raw): number => short(median(quotients(raw[name], ndjson)))
    return {
      figures: {
        "records of 3 kB": count,
        ...mediansOf(raw),
        "SQLite / NDJSON": ratioOf("a table of SQLite (s)"),
        "DuckDB / NDJSON": ratioOf("a table of DuckDB (s)"),
        "Postgres / NDJSON": ratioOf("a table of Postgres (s)")
      },
      raw
    }
  } finally {
    await postgres.stop()
  }
}
