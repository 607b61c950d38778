/**
 * The substances of the made-up records: there are none like them, and no record of a real substance is made up.
 *
 * Every made-up record names its source `example data`.
 */
import { DetailProjection, type DetailRecord, Dtxsid, type SynonymRecord } from "@chemstream/api"

/** The source of every made-up record. */
export const source = "example data"

/** The number of the first example substance: fictitious, and between those of the table and of the unknown identifiers. */
export const firstExampleNumber = 99_800_001

/** An example substance. It has no structure, since every structure may be that of a real substance. */
export interface ExampleSubstance {
  readonly dtxsid: string
  readonly casrn: string
  readonly name: string
}

const example = (letter: string, index: number): ExampleSubstance => ({
  dtxsid: Dtxsid.fromNumber(firstExampleNumber + index),
  casrn: `NOCAS_${firstExampleNumber + index}`,
  name: `Example substance ${letter}`
})

export const exampleA: ExampleSubstance = example("A", 0)
export const exampleB: ExampleSubstance = example("B", 1)
export const exampleC: ExampleSubstance = example("C", 2)

export const examples: ReadonlyArray<ExampleSubstance> = [exampleA, exampleB, exampleC]

/** Marks a record as made up. */
export const madeUp = <R extends object>(record: R): R & { readonly source: string } => ({
  ...record,
  source
})

const noDetails = Object.fromEntries(
  Object.keys(DetailProjection.fields.ccdchemicaldetails).map((field) => [field, null])
) as { readonly [F in keyof typeof DetailProjection.fields.ccdchemicaldetails]: null }

/** Makes the detail record of an example substance. */
export const exampleDetails = ({ casrn, dtxsid, name }: ExampleSubstance): DetailRecord.DetailRecord => {
  const number = Number(casrn.slice("NOCAS_".length))
  return {
    ...noDetails,
    id: String(number),
    dtxsid,
    casrn,
    preferredName: name,
    genericSubstanceId: number,
    hasStructureImage: 0,
    isMarkush: false,
    qcNotes: "Example data: there is no such substance"
  }
}

/** Makes the synonym record of an example substance. */
export const exampleSynonyms = ({ dtxsid, name }: ExampleSubstance): SynonymRecord.SynonymRecord => ({
  beilstein: null,
  alternateCasrn: null,
  dtxsid,
  pcCode: null,
  deletedCasrn: null,
  other: null,
  valid: null,
  good: [name.toLowerCase()]
})
