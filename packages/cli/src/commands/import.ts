/**
 * `chemstream import`: records from NDJSON files or JSON arrays into a database, all or nothing.
 */
import { Import } from "@chemstream/service"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { failed, usage } from "../CommandFailure.ts"
import { count, counted } from "../summary.ts"

export const importRecords = Command.make(
  "import",
  {
    files: Argument.String("FILE").pipe(
      Argument.withDescription("NDJSON file or JSON array, also gzipped"),
      Argument.variadic({ min: 1 })
    ),
    kind: Flag.Literals("kind", ["details"]).pipe(Flag.withDescription("What the records are")),
    database: Flag.String("database").pipe(
      Flag.withAlias("d"),
      Flag.withMetavar("FILE"),
      Flag.withDescription("Database to import into; made when it does not exist")
    )
  },
  Effect.fn(
    function* ({ database, files }) {
      const report = yield* Import.details({ database, files })
      process.stderr.write(
        `imported ${counted(report.records, "record")} into ${database} (${count(report.replaced)} replaced)\n`
      )
    },
    Effect.catchTags({
      ImportError: (error) => Effect.fail(usage(error.message)),
      StoreError: (error) =>
        Effect.fail(
          error.reason === "busy" || error.reason === "failed" ? failed(error.message) : usage(error.message)
        )
    })
  )
).pipe(
  Command.withDescription("Import records into a database"),
  Command.withExamples([
    {
      command: "chemstream import details.ndjson.gz --kind details --database chemicals.sqlite",
      description: "Detail records; a record with a known identifier replaces the older one"
    }
  ])
)
