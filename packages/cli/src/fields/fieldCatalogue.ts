/**
 * The schemas and fields that the records of each command have in a dialect, and which projections have them: for `schema` and
 * `help fields`, and to say where a field is that the chosen projection lacks.
 */
import { AllRecord, DetailProjection, RecordSchema, SynonymRecord } from "@chemstream/api"
import { Dialect } from "@chemstream/client"
import { Table } from "@chemstream/ndjson"
import { Bioactivity, Details, MsReady, Search, Synonyms } from "@chemstream/stream"
import { Schema } from "effect"

/** The columns of each projection by its name; a command without projections has one of an empty name. */
export type Projections = Readonly<Record<string, ReadonlyArray<Table.Column>>>

/** The schema of each projection by its name; the first is the default where `defaultProjection` names none. */
export type Schemas = Readonly<Record<string, Schema.Constraint>>

/** Anything whose records have a schema. */
type Recorded = { readonly schema?: Schema.Constraint | undefined }

const schemaOf = ({ schema = Schema.Unknown }: Recorded): Schema.Constraint => schema

const each = <Name extends string>(
  names: ReadonlyArray<Name>,
  lookup: (projection: Name) => Recorded
): Schemas => Object.fromEntries(names.map((name) => [name, schemaOf(lookup(name))]))

/** The schema of a command without projections. */
export const one = (lookup: Recorded): Schemas => ({ "": schemaOf(lookup) })

/** The projections of each command, by its words, with the schemas of the contract. */
const commands: Readonly<Record<string, (dialect: Dialect.Name) => Schemas>> = {
  details: (dialect) =>
    each(
      DetailProjection.names.filter((name) => name in Dialect.dialects[dialect].detailFields),
      (projection) => Details.byDtxsid({ projection })
    ),
  all: () => ({ "standard-2": AllRecord.StandardRecord, "all-ids": AllRecord.IdRecord }),
  synonyms: () => each(SynonymRecord.projections, (projection) => Synonyms.byDtxsid({ projection })),
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

/** The projections that a service has when none is asked for, where these are not the first of a command. */
export const defaultProjection: Readonly<Record<string, string>> = {
  details: DetailProjection.defaultProjection,
  synonyms: SynonymRecord.defaultProjection
}

/** The commands whose fields are known. */
export const names: ReadonlyArray<string> = Object.keys(commands)

/** The schemas of a command in a dialect; undefined where it has no records of its own. */
export const schemasOf = (command: string, dialect: Dialect.Name): Schemas | undefined => {
  const schemas = commands[command]?.(dialect)
  return (
    schemas &&
    Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, RecordSchema.inDialect(schema, dialect)])
    )
  )
}

/** The columns of the projections of a command in a dialect; undefined where it has no records of its own. */
export const of = (command: string, dialect: Dialect.Name): Projections | undefined => {
  const schemas = schemasOf(command, dialect)
  return (
    schemas &&
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, Table.columnsOf(schema)]))
  )
}
