/** Generated and hostile records for the tests of drawings. */
import type { BioactivityData, BioactivitySummary, DetailRecord } from "@chemstream/api"
import type { Chemical } from "@chemstream/figures"
import { Synthetic } from "@chemstream/synthetic"
import { Effect, Stream } from "effect"
import { SaxesParser } from "saxes"

const parse = <A>(bytes: Uint8Array): A => JSON.parse(new TextDecoder().decode(bytes))

/** Makes chemicals of a generated data set, each with its data. */
export const generated = async (count: number, seed: number): Promise<ReadonlyArray<Chemical.Chemical>> => {
  const options = { count, seed, tested: 1, fingerprints: false }
  const batches = await Effect.runPromise(Stream.runCollect(Synthetic.batches(options)))
  return batches.flatMap(({ bioactivity, details, synonyms }) =>
    details.map(({ dtxsid, record }) => ({
      id: dtxsid,
      details: parse<DetailRecord.DetailRecord>(record),
      synonyms: synonyms
        .filter((one) => one.dtxsid === dtxsid)
        .map((one) => parse<NonNullable<Chemical.Chemical["synonyms"]>>(one.record))[0],
      data: bioactivity
        .filter((one) => one.dtxsid === dtxsid)
        .map((one) => parse<BioactivityData.BioactivityData>(one.record))
    }))
  )
}

/** A name that could end an element, an attribute, a comment or a line, or move a cursor. */
export const hostileName = `<script>alert(1)</script>" onload='x' & </svg></text> ]]> --> \u0000\u001b[31m\u202e`

/** A chemical in which every text is hostile. */
export const hostile: Chemical.Chemical = {
  id: hostileName,
  details: { dtxsid: hostileName, preferredName: hostileName, casrn: hostileName, smiles: "CCO" },
  synonyms: { dtxsid: hostileName, valid: [hostileName], other: [hostileName] },
  summary: { dtxsid: hostileName, activeMc: 1, totalMc: 2 } satisfies BioactivitySummary.ChemicalSummary,
  data: [
    {
      dtxsid: hostileName,
      spid: hostileName,
      chnm: hostileName,
      modl: "hill",
      m4id: 1,
      hitc: 0.95,
      coff: 10,
      mc3Param: { logc: [-1, 0, 1], resp: [0, 10, 40] },
      mc5Param: { tp: 50, ga: 3, p: 1, ac50: 3, top: 50 }
    },
    { dtxsid: hostileName, spid: hostileName, modl: hostileName, hitc: 0.1, mc5Param: { ac50: 9 } }
  ]
}

/** Returns the elements of an XML document and its text. Throws if it is malformed. */
export const readXml = (text: string): { readonly names: ReadonlyArray<string>; readonly text: string } => {
  const parser = new SaxesParser()
  const names: Array<string> = []
  let content = ""
  parser.on("error", (error) => {
    throw error
  })
  parser.on("opentag", ({ name }) => names.push(name))
  parser.on("text", (part) => {
    content += part
  })
  parser.write(text).close()
  return { names, text: content }
}
