/**
 * `chemstream bioactivity top`: the most potent active assay endpoint of each substance of a list or table.
 */
import { ActivityRows, TopActivity } from "@chemstream/stream"
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import * as clientFlags from "../../flags/clientFlags.ts"
import * as runFlags from "../../flags/runFlags.ts"
import * as RowInput from "../../tables/rowInput.ts"
import * as TableFlags from "../../tables/tableFlags.ts"
import * as TableRun from "../../tables/tableRun.ts"

export const top = Command.make(
  "top",
  {
    values: runFlags.substances,
    key: runFlags.key("dtxsid"),
    run: TableFlags.flags(TopActivity.lookup().size),
    client: clientFlags.flags,
    dryRun: clientFlags.dryRun
  },
  (flags) =>
    Effect.gen(function* () {
      const { client, key, run, values } = flags
      yield* TableFlags.checkFiles(run, values, client)
      const withClient = clientFlags.provide(client, flags)
      const given = TableFlags.inputOf(run, values, Option.toArray(key))
      const table = yield* RowInput.open({ ...given, own: ["dtxsid"] }, ([id = ""]) => id)
      const layout = { columns: table.columns, isTable: table.isTable }
      const row = ActivityRows.make(layout)
      yield* TableRun.run(
        table,
        {
          lookup: TopActivity.lookup(),
          shown: (text) => text,
          rows: (outcome) => [row(outcome)],
          columns: table.isOpen
            ? undefined
            : yield* withClient(
                TableRun.columnsOf(table.columns, (columns) => ActivityRows.names({ ...layout, columns }))
              ),
          settings: { top: "active", sheet: Option.getOrNull(run.sheet) }
        },
        TableFlags.optionsOf(run, flags)
      ).pipe(withClient)
    }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "The most potent active assay endpoint of each substance, with name, gene, AC50 and counts: active is a hit call of at least 0.9 at more than one concentration; every row of a table is written again"
  ),
  Command.withExamples([
    {
      command: "chemstream bioactivity top DTXSID7020182 DTXSID3039242",
      description: "A line for each substance"
    },
    {
      command: "chemstream bioactivity top --input samples.csv --output top.csv",
      description: "The same table, with new columns"
    }
  ])
)
