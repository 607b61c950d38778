/**
 * `chemstream import`: imports NDJSON files, JSON arrays or single JSON objects into a database, all of them or nothing.
 */
import { Import } from "@chemstream/service"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { runFailure, usageFailure } from "../../CommandFailure.ts"
import * as RunFiles from "../../output/runFiles.ts"
import { count } from "../../run/summary.ts"
import * as importProgress from "../../terminal/importProgress.ts"
import * as Messages from "../../terminal/messages.ts"

export const importRecords = Command.make(
  "import",
  {
    files: Argument.String("FILE").pipe(
      Argument.withDescription("NDJSON file, JSON array or one JSON object, also compressed"),
      Argument.variadic({ min: 1 })
    ),
    kind: Flag.Literals("kind", Import.kinds).pipe(Flag.withDescription("Kind of the records")),
    database: Flag.String("database").pipe(
      Flag.withAlias("d"),
      Flag.withMetavar("FILE"),
      Flag.withDescription("Database to import into; created if it does not exist")
    ),
    anyFields: Flag.Boolean("any-fields").pipe(
      Flag.withDescription(
        "Import records that do not look like their kind: they have none of its fields, or more of another [default: refuse them]"
      ),
      Flag.withDefault(false)
    ),
    quiet: Flag.Boolean("quiet").pipe(
      Flag.withAlias("q"),
      Flag.withDescription("No progress and no summary"),
      Flag.withDefault(false)
    )
  },
  Effect.fn(
    function* ({ anyFields, database, files, kind, quiet }) {
      yield* RunFiles.check({
        inputs: files.map((file) => ({ option: "FILE", file })),
        outputs: [RunFiles.database("--database", database)]
      })
      const report = yield* Effect.scoped(
        Effect.gen(function* () {
          const onProgress = process.stderr.isTTY && !quiet ? yield* importProgress.bar : undefined
          return yield* Import[kind]({ database, files, anyFields, onProgress })
        })
      )
      if (quiet) return
      Messages.say(
        `imported ${count(report.records)} ${nouns[kind]} into ${database} (${count(report.replaced)} replaced)\n`
      )
    },
    Effect.catchTags({
      ImportError: ({ message, reason }) =>
        Effect.fail(
          usageFailure(
            reason === "kind"
              ? `${message} Give the kind of the file with --kind, or --any-fields to import it all the same.`
              : message
          )
        ),
      StoreError: (error) =>
        Effect.fail(
          error.reason === "busy" || error.reason === "failed"
            ? runFailure(error.message)
            : usageFailure(error.message)
        )
    })
  )
).pipe(
  Command.withDescription("Import records into a database"),
  Command.withExamples([
    {
      command: "chemstream import details.ndjson.gz --kind details --database chemicals.sqlite",
      description: "Detail records; a record with a known identifier replaces the older one"
    },
    {
      command: "chemstream import mc.ndjson sc.ndjson --kind bioactivity --database chemicals.sqlite",
      description: "Bioactivity data records of two files: both or neither"
    }
  ])
)

const nouns: Record<Import.Kind, string> = {
  details: "records",
  synonyms: "synonym records",
  bioactivity: "bioactivity records",
  aed: "AED records"
}
