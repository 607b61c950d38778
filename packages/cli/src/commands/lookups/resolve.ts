/**
 * `chemstream resolve`: finds the substances of identifiers of any kind, also damaged ones.
 */

import { IdentifierKind } from "@chemstream/api"
import { Properties } from "@chemstream/figures"
import { Resolve, ResolvedRows, Structures } from "@chemstream/stream"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { usageFailure } from "../../CommandFailure.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import { choice, defaultWhole, optional, optionalChoice, parsedText, values } from "../../flags/flagTypes.ts"
import * as NameList from "../../flags/nameList.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as TableRun from "../../run/tableRun.ts"
import * as IdentifierRows from "../../tables/identifierRows.ts"
import * as ProjectionChoice from "../../tables/projectionChoice.ts"
import * as TableFlags from "../../tables/tableFlags.ts"

const largestBatch = Resolve.make().lookup.size

export const resolve = Command.make(
  "resolve",
  {
    values: values(
      "VALUE",
      "DTXSIDs, DTXCIDs, CAS numbers, InChIKeys or their first 14 letters, InChI, SMILES, formulas, names [default: those of --input, else of standard input]"
    ),
    key: NameList.list(
      "key",
      "A,B",
      "Columns with identifiers, in order of preference: the first known identifier counts, and contradictions are reported"
    ),
    as: optionalChoice(
      "as",
      IdentifierKind.names,
      "Kind of all values [default: the kind that each looks like]"
    ),
    split: parsedText(
      "split",
      "TEXT",
      "Separator of several identifiers in a cell, e.g. ';'; the substances of each are candidates [default: a cell has one]",
      (text) => text || undefined,
      "a separator of at least one character"
    ).pipe(optional),
    pick: choice(
      "pick",
      ["all", "best", "unique"],
      "all",
      "Candidates to write for an ambiguous value: all, those of the best rank, or none; the status stays ambiguous [default: all]"
    ),
    checkSynonyms: choice(
      "check-synonyms",
      ["always", "never"],
      "always",
      "Search alone for a name that matched a synonym, with one request each; only the public service needs it [default: always]"
    ),
    match: choice(
      "match",
      ["exact", "skeleton"],
      "exact",
      "Substances of an unknown InChIKey: none, which are named in the note, or those with its first 14 letters, i.e. other stereo, charge or isotopes [default: exact]"
    ),
    maxCandidates: defaultWhole(
      "max-candidates",
      1,
      "Most candidates of a row",
      Resolve.defaultMaxCandidates
    ),
    rows: optionalChoice(
      "rows",
      ["input", "candidates"],
      "A row for each row of the input, or for each candidate [default: input for a table, else candidates]"
    ),
    fields: NameList.list("fields", "A,B,C", "Fields of the detail records, as further columns"),
    run: TableFlags.flags(largestBatch),
    client: clientFlags.flags,
    dryRun: clientFlags.dryRun
  },
  (flags) =>
    Effect.gen(function* () {
      const { as, checkSynonyms, client, fields = [], key: keys = [] } = flags
      const { match, maxCandidates, pick, run, split, values } = flags
      yield* TableFlags.checkFiles(run, values, client)
      const withClient = clientFlags.provide(client, flags)
      const projection =
        fields.length === 0 ? undefined : yield* withClient(ProjectionChoice.projectionOf(fields))
      const table = yield* IdentifierRows.open(
        { ...TableFlags.inputOf(run, values, keys), split },
        Resolve.row
      )
      const perCandidate = (flags.rows ?? (table.isTable ? "input" : "candidates")) === "candidates"
      if (!perCandidate && !table.isTable)
        return yield* usageFailure("--rows input needs a table: name its column with --key")
      const layout = { columns: table.columns, isTable: table.isTable, perCandidate, fields }
      const options = {
        as,
        split,
        pick,
        // The default is not stored, so that runs of earlier releases continue.
        checkSynonyms: checkSynonyms === "always" ? undefined : checkSynonyms,
        match: match === "exact" ? undefined : match,
        maxCandidates,
        projection,
        labels: keys
      }
      const {
        lookup,
        read,
        result: resolved
      } = Resolve.make({
        ...options,
        fields: fields.length === 0 ? undefined : fields,
        concurrency: run.concurrency,
        onFailure: run.onFailure
      })
      const rows = ResolvedRows.make(layout)
      yield* TableRun.run(
        table,
        {
          lookup,
          read,
          shown: Resolve.displayText,
          rows: (outcome) => rows(resolved(outcome)),
          doubtful: (outcome) => resolved(outcome).note,
          repairOf: (outcome) => resolved(outcome).repair,
          names: (columns) => ResolvedRows.names({ ...layout, columns }),
          types: ResolvedRows.types,
          settings: {
            resolve: JSON.stringify({ ...options, fields, perCandidate }),
            sheet: run.sheet ?? null
          }
        },
        TableFlags.optionsOf(run, flags)
      ).pipe(withClient, Effect.provideService(Structures.Structures, Properties.structures))
    }).pipe(Effect.scoped)
).pipe(
  withHelp(
    "Substances for identifiers of any kind, mixed or damaged; every row of a table is written again",
    {
      'chemstream resolve 80-05-7 "Bisphenol A" c1ccccc1': "A line for each candidate",
      "chemstream resolve --input samples.csv --key casrn,name --fields molFormula --output found.csv":
        "The same table, with new columns for DTXSID, names and formula"
    }
  )
)
