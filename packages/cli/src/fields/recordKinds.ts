/**
 * The kinds of JSON that the command writes, by name. The records of a lookup have the name of its command. The reports of a run have their
 * own names.
 */
import type { Dialect } from "@chemstream/client"
import { Bioactivity, OutcomeRow, Problem, Search } from "@chemstream/stream"
import * as summary from "../run/summary.ts"
import * as FieldCatalogue from "./fieldCatalogue.ts"

/** A kind of JSON. */
export interface RecordKind {
  readonly schemas: (dialect: Dialect.Name) => FieldCatalogue.Schemas
  /** The name of the default projection. Default: the first projection of `schemas`. */
  readonly defaultProjection?: string | undefined
  readonly description: string
}

const lookups = FieldCatalogue.names.map((command): readonly [string, RecordKind] => [
  command.replaceAll(" ", "-"),
  {
    description: `A record of chemstream ${command}`,
    schemas: (dialect) => FieldCatalogue.schemasOf(command, dialect) ?? {},
    defaultProjection: FieldCatalogue.defaultProjection[command]
  }
])

/** A kind that has one schema in every dialect. */
const one = (lookup: Parameters<typeof FieldCatalogue.one>[0]): RecordKind["schemas"] => {
  const schemas = FieldCatalogue.one(lookup)
  return () => schemas
}

/** The kinds by name. */
export const kinds: Readonly<Record<string, RecordKind>> = {
  ...Object.fromEntries(lookups),
  "formula-count": {
    description: "A record of chemstream formula --count",
    schemas: one(Search.countByExactFormula())
  },
  "bioactivity-summary-by-aeid": {
    description: "A record of chemstream bioactivity summary --by aeid",
    schemas: one(Bioactivity.summaryByAeid())
  },
  "bioactivity-summary-by-tissue": {
    description: "A record of chemstream bioactivity summary --by tissue",
    schemas: one(Bioactivity.summaryByTissue("liver"))
  },
  outcome: {
    description: "The outcome of an identifier: a row of the table of outcomes",
    schemas: one({ schema: OutcomeRow.OutcomeRow })
  },
  errors: { description: "A line of --errors", schemas: one({ schema: Problem.Line }) },
  summary: {
    description: "The counts of --json-summary",
    schemas: one({ schema: summary.Summary })
  }
}
