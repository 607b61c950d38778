/**
 * `chemstream bioactivity top` and `exposure-ratio`: one row of facts for each substance of a list or table.
 *
 * `TopActivity` and `ExposureRatio` of the stream package define the facts; `ActivityRows` adds them to a row as columns.
 */
import type { RawRecord } from "@chemstream/ndjson"
import { ActivityRows, ExposureRatio, type Lookup, TopActivity } from "@chemstream/stream"
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as clientFlags from "../../flags/clientFlags.ts"
import * as runFlags from "../../flags/runFlags.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as TableRun from "../../run/tableRun.ts"
import * as IdentifierRows from "../../tables/identifierRows.ts"
import * as TableFlags from "../../tables/tableFlags.ts"

/** The facts that a command writes, and the lookup of their records. */
interface CommandFacts {
  readonly facts: ActivityRows.Facts
  readonly lookup: () => Lookup.Lookup<RawRecord.RawRecord>
  /** The name of the facts among the settings of a saved run. Another name does not continue runs of earlier releases. */
  readonly savedName: string
}

const commandOf = <const Name extends string>(name: Name, { facts, lookup, savedName }: CommandFacts) =>
  Command.make(
    name,
    {
      values: runFlags.substances,
      key: runFlags.key("dtxsid"),
      run: TableFlags.flags(lookup().size),
      client: clientFlags.flags,
      dryRun: clientFlags.dryRun
    },
    (flags) =>
      Effect.gen(function* () {
        const { client, key, run, values } = flags
        yield* TableFlags.checkFiles(run, values, client)
        const given = TableFlags.inputOf(run, values, key === undefined ? [] : [key])
        const table = yield* IdentifierRows.open({ ...given, own: ["dtxsid"] }, ([id = ""]) => id)
        const layout = { facts, columns: table.columns, isTable: table.isTable }
        const row = ActivityRows.make(layout)
        yield* TableRun.run(
          table,
          {
            lookup: lookup(),
            shown: (text) => text,
            rows: (outcome) => [row(outcome)],
            names: (columns) => ActivityRows.names({ ...layout, columns }),
            types: layout.facts.types ?? {},
            settings: { top: savedName, sheet: run.sheet ?? null }
          },
          TableFlags.optionsOf(run, flags)
        ).pipe(clientFlags.provide(client, flags))
      }).pipe(Effect.scoped)
  )

export const top = commandOf("top", { ...TopActivity, savedName: "active" }).pipe(
  withHelp(
    "The most potent active assay endpoint of each substance, with name, gene, AC50 and counts: active is a hit call of at least 0.9 at more than one concentration; every row of a table is written again",
    {
      "chemstream bioactivity top DTXSID7020182 DTXSID3039242": "A line for each substance",
      "chemstream bioactivity top --input samples.csv --output top.csv": "The same table, with new columns"
    }
  )
)

export const exposureRatio = commandOf("exposure-ratio", { ...ExposureRatio, savedName: "exposure" }).pipe(
  withHelp(
    "The bioactivity-exposure ratio of each substance: its lowest equivalent dose (AED) divided by the upper bound of its predicted exposure (SEEM3, total population), both in one unit; a row without a ratio says why",
    {
      "chemstream bioactivity exposure-ratio DTXSID7020182": "The ratio, both doses, and the assay endpoint",
      "chemstream bioactivity exposure-ratio -i ids.txt | chemstream convert --by ratio --format csv":
        "A ranked list: the smallest ratios first, and those without one last"
    }
  )
)
