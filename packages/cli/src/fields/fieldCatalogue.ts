/**
 * The schemas and fields of the records of each command, by dialect and projection. `schema`, `help fields` and the messages about
 * unknown fields use them.
 */
import { AllRecord, DetailProjection, RecordSchema, SynonymRecord } from "@chemstream/api"
import { Dialect } from "@chemstream/client"
import { Table } from "@chemstream/ndjson"
import { Bioactivity, Details, MsReady, Search, Synonyms } from "@chemstream/stream"
import { Schema } from "effect"

/** The columns of each projection, by name. A command without projections has a single entry with an empty name. */
export type Projections = Readonly<Record<string, ReadonlyArray<Table.Column>>>

/** The schema of each projection, by name. The first is the default, unless `defaultProjection` names another. */
export type Schemas = Readonly<Record<string, Schema.Constraint>>

/** A value with a schema of records. */
type RecordSource = { readonly schema?: Schema.Constraint | undefined }

const schemaOf = ({ schema = Schema.Unknown }: RecordSource): Schema.Constraint => schema

const byProjection = <Name extends string>(
  names: ReadonlyArray<Name>,
  lookup: (projection: Name) => RecordSource
): Schemas => Object.fromEntries(names.map((name) => [name, schemaOf(lookup(name))]))

/** The schema of a command without projections. */
export const one = (lookup: RecordSource): Schemas => ({ "": schemaOf(lookup) })

/** The projections of each command, with the schemas of the contract. */
const commands: Readonly<Record<string, (dialect: Dialect.Name) => Schemas>> = {
  details: (dialect) =>
    byProjection(
      DetailProjection.names.filter((name) => name in Dialect.dialects[dialect].detailFields),
      (projection) => Details.byDtxsid({ projection })
    ),
  all: () => ({ "standard-2": AllRecord.StandardRecord, "all-ids": AllRecord.IdRecord }),
  synonyms: () => byProjection(SynonymRecord.projections, (projection) => Synonyms.byDtxsid({ projection })),
  "bioactivity data": () => ({
    "all data": schemaOf(Bioactivity.byDtxsid()),
    "assay-summary-plot": schemaOf(Bioactivity.byDtxsid({ projection: "assay-summary-plot" }))
  }),
  "bioactivity summary": () => one(Bioactivity.summaryByDtxsid()),
  "bioactivity aed": () => one(Bioactivity.aed()),
  "search equal": () => one(Search.equal()),
  "search start-with": () => one(Search.startWith()),
  "search contain": () => one(Search.contain()),
  "formula exact": () => one(Search.byExactFormula()),
  "formula msready": () => one(Search.byMsreadyFormula()),
  "msready dtxcid": () => one(MsReady.byDtxcid()),
  "msready formula": () => one(MsReady.byFormula()),
  "msready mass": () => one(MsReady.byMass())
}

/** The default projection of each command whose default is not its first projection. */
export const defaultProjection: Readonly<Record<string, string>> = {
  details: DetailProjection.defaultProjection,
  synonyms: SynonymRecord.defaultProjection
}

/** The commands with known fields. */
export const names: ReadonlyArray<string> = Object.keys(commands)

/** Returns the schemas of a command in a dialect. Undefined if the command has no records. */
export const schemasOf = (command: string, dialect: Dialect.Name): Schemas | undefined => {
  const schemas = commands[command]?.(dialect)
  return (
    schemas &&
    Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, RecordSchema.inDialect(schema, dialect)])
    )
  )
}

/** Returns the columns of a command by projection, in a dialect. Undefined if the command has no records. */
export const of = (command: string, dialect: Dialect.Name): Projections | undefined => {
  const schemas = schemasOf(command, dialect)
  return (
    schemas &&
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, Table.columnsOf(schema)]))
  )
}
