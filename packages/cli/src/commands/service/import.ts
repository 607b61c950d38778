/**
 * `chemstream import`: imports NDJSON files, JSON arrays or single JSON objects into a database, all of them or nothing.
 */

import { Rows } from "@chemstream/api"
import { Import } from "@chemstream/service"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { runFailure, usageFailure } from "../../CommandFailure.ts"
import type { RowList } from "../../endpoints/commandIndex.ts"
import { switchFlag } from "../../flags/flagTypes.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as FileCheck from "../../output/fileCheck.ts"
import * as importProgress from "../../terminal/importProgress.ts"
import * as Messages from "../../terminal/messages.ts"
import { count } from "../../terminal/quantities.ts"

const optionsOf = (rows: RowList) => ({
  files: Argument.String("FILE").pipe(
    Argument.withDescription("NDJSON file, JSON array or one JSON object, also compressed"),
    Argument.variadic({ min: 1 })
  ),
  kind: Flag.Literals("kind", [...Import.kinds, ...rows.map(({ name }) => name)]).pipe(
    Flag.withDescription("Kind of the records")
  ),
  database: Flag.String("database").pipe(
    Flag.withAlias("d"),
    Flag.withMetavar("FILE"),
    Flag.withDescription("Database to import into; created if it does not exist")
  ),
  anyFields: switchFlag(
    "any-fields",
    "Import records that do not look like their kind: they have none of its fields, or more of another [default: refuse them]"
  ),
  quiet: switchFlag("quiet", "No progress and no summary").pipe(Flag.withAlias("q"))
})

type Options = Command.Command.Config.Infer<ReturnType<typeof optionsOf>>

const run = (rows: RowList) =>
  Effect.fn(
    function* ({ anyFields, database, files, kind, quiet }: Options) {
      yield* FileCheck.check({
        inputs: files.map((file) => ({ option: "FILE", file })),
        outputs: [FileCheck.database("--database", database)]
      })
      const report = yield* Effect.scoped(
        Effect.gen(function* () {
          const onProgress = process.stderr.isTTY && !quiet ? yield* importProgress.bar : undefined
          const row = rows.find(({ name }) => name === kind)
          const options = { database, files, anyFields, onProgress }
          return yield* row === undefined
            ? Import[kind as Import.Kind](options)
            : Import.rowRecords(row, options)
        })
      )
      if (quiet) return
      Messages.say(
        `imported ${count(report.records)} ${nounOf(kind, rows)} into ${database} (${count(report.replaced)} replaced)\n`
      )
    },
    Effect.catchTags({
      ImportError: ({ message, reason }) =>
        usageFailure(
          reason === "kind"
            ? `${message} Give the kind of the file with --kind, or --any-fields to import it all the same.`
            : message
        ),
      StoreError: (error) =>
        error.reason === "busy" || error.reason === "failed"
          ? runFailure(error.message)
          : usageFailure(error.message)
    })
  )

/** Makes the command for the endpoints that rows declare. Default: those of the contract. */
export const importRecords = (rows: RowList = Rows.all) => {
  // `--kind` names a row by itself, unless its records are computed, or those of one of `Import.kinds` or of another row.
  const own = rows.filter(Import.isOfRow)
  return Command.make("import", optionsOf(own), run(own)).pipe(
    withHelp("Import records into a database", {
      "chemstream import details.ndjson.gz --kind details --database chemicals.sqlite":
        "Detail records; a record with a known identifier replaces the older one",
      "chemstream import mc.ndjson sc.ndjson --kind bioactivity --database chemicals.sqlite":
        "Bioactivity data records of two files: both or neither"
    })
  )
}

const nounOf = (kind: string, rows: RowList): string =>
  nouns[kind as Import.Kind] ?? rows.find(({ name }) => name === kind)?.what ?? kind

const nouns: Record<Import.Kind, string> = {
  details: "records",
  synonyms: "synonym records",
  bioactivity: "bioactivity records",
  aed: "AED records"
}
