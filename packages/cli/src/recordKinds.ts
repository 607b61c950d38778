/**
 * The kinds of JSON that the command writes, by name: the records of each lookup, named as its command (`FieldCatalogue`), and
 * what is said of a run.
 */
import { Bioactivity, OutcomeRow, Problem, Search } from "@chemstream/stream"
import * as FieldCatalogue from "./fieldCatalogue.ts"
import * as summary from "./summary.ts"

/** A kind of JSON. */
export interface RecordKind {
  readonly schemas: FieldCatalogue.Schemas
  /** Default: the first of its projections. */
  readonly defaultProjection?: string | undefined
  readonly description: string
}

const lookups = FieldCatalogue.names.map((command): readonly [string, RecordKind] => [
  command.replaceAll(" ", "-"),
  {
    description: `A record of chemstream ${command}`,
    schemas: FieldCatalogue.schemasOf(command) ?? {},
    defaultProjection: FieldCatalogue.defaultProjection[command]
  }
])

/** The kinds by name. */
export const kinds: Readonly<Record<string, RecordKind>> = {
  ...Object.fromEntries(lookups),
  "formula-count": {
    description: "A record of chemstream formula --count",
    schemas: FieldCatalogue.one(Search.countByExactFormula())
  },
  "bioactivity-summary-by-aeid": {
    description: "A record of chemstream bioactivity summary --by aeid",
    schemas: FieldCatalogue.one(Bioactivity.summaryByAeid())
  },
  "bioactivity-summary-by-tissue": {
    description: "A record of chemstream bioactivity summary --by tissue",
    schemas: FieldCatalogue.one(Bioactivity.summaryByTissue("liver"))
  },
  outcome: {
    description: "What became of an identifier: a row of the table of outcomes",
    schemas: FieldCatalogue.one({ schema: OutcomeRow.OutcomeRow })
  },
  errors: { description: "A line of --errors", schemas: FieldCatalogue.one({ schema: Problem.Line }) },
  summary: {
    description: "The counts of --json-summary",
    schemas: FieldCatalogue.one({ schema: summary.Summary })
  }
}
