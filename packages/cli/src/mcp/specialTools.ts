/**
 * The tools of `chemstream mcp` beside those of families (`endpointTools.ts`): `resolve`, `search`, `msready_mass`, `structure_image`,
 * `harvest_status`. This module has the schemas of their parameters and results; `toolHandlers.ts` implements them.
 */
import { IdentifierKind, SearchHit } from "@chemstream/api"
import { Resolve } from "@chemstream/stream"
import { Schema } from "effect"
import { Toolkit } from "effect/ai"
import { identifierList, ledgerSentence, maxLength, paging, tool } from "./toolParts.ts"
import { answer, optional } from "./toolResults.ts"

const text = Schema.NullOr(Schema.String)

/** A substance that an identifier may mean. */
const Candidate = Schema.Struct({
  dtxsid: text,
  dtxcid: text,
  casrn: text,
  preferredName: text,
  foundBy: Schema.String.annotate({ description: "The kind of name that matched" }),
  rank: Schema.NullOr(Schema.Number).annotate({ description: "Smaller is better" })
})

/** The substances that an identifier may mean. */
export const Resolution = Schema.Struct({
  input: Schema.String,
  kind: Schema.NullOr(Schema.Literals(IdentifierKind.names)),
  status: Schema.Literals(["found", "ambiguous", "conflict"]),
  note: text,
  candidates: Schema.Array(Candidate),
  more: Schema.Int.annotate({ description: "Candidates that are left out" })
})

const number = Schema.NullOr(Schema.Number)

/** A feature with one of its candidates. */
export const Suspect = Schema.Struct({
  input: Schema.String,
  dtxsid: Schema.String,
  preferredName: text,
  casrn: text,
  molFormula: text,
  adduct: Schema.String,
  neutralMass: Schema.Number.annotate({ description: "In dalton" }),
  msReadyMass: number.annotate({ description: "In dalton" }),
  matchedBy: Schema.NullOr(Schema.Literals(["mass", "msready"])),
  errorPpm: number.annotate({ description: "The error of the m/z, in ppm" }),
  errorDa: number.annotate({ description: "The error of the m/z, in dalton" }),
  sourcesCount: number.annotate({ description: "Number of data sources; more make a candidate more likely" }),
  pubmedCount: number
})

/** The progress of a harvest. */
export const HarvestStatus = Schema.Struct({
  name: Schema.String,
  state: Schema.String,
  reason: Schema.optionalKey(Schema.String),
  source: Schema.String,
  identifiers: Schema.Int,
  chunks: Schema.Int,
  chunksDone: Schema.Int,
  workers: Schema.Int.annotate({ description: "Live workers that can fetch its chunks" }),
  identifiersPerSecond: Schema.Number,
  secondsLeft: Schema.optionalKey(Schema.Number),
  outcomes: Schema.Record(Schema.String, Schema.Number)
})

/** The tools except those of endpoints (`endpointTools.ts`) and the one that returns a picture (`drawingTool.ts`). */
export const toolkit = Toolkit.make(
  tool(
    "resolve",
    "Resolve identifiers",
    `Finds the substances that identifiers of any kind mean: CAS numbers, names, DTXSIDs, InChIKeys, SMILES, formulas, also damaged ones. Ambiguous identifiers have several candidates. ${ledgerSentence}`,
    {
      identifiers: identifierList("Identifiers of any kind"),
      kind: optional(
        Schema.Literals(IdentifierKind.names),
        "The kind of all identifiers. Default: the kind that each looks like."
      ),
      maxCandidates: optional(
        Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 })),
        `Default: ${Resolve.defaultMaxCandidates}.`
      ),
      ...paging
    },
    answer(Resolution)
  ),
  tool(
    "msready_mass",
    "Suspects of masses",
    `Finds the substances that measured m/z may be, by the mass of their MS-ready form (suspect screening). ${ledgerSentence}`,
    {
      identifiers: identifierList('m/z as text, each with its adduct if it is known, e.g. "227.1077 [M-H]-"'),
      adducts: optional(
        Schema.Array(Schema.String.check(Schema.isMaxLength(40))).check(
          Schema.isMinLength(1),
          Schema.isMaxLength(20)
        ),
        "Adducts to try for an m/z without one; [M] for neutral masses. Default: [M+H]+, [M+NH4]+ and [M+Na]+."
      ),
      ppm: optional(
        Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 1000 })),
        "The tolerance. Default: 5."
      ),
      dalton: optional(
        Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
        "The tolerance in dalton, instead of ppm"
      ),
      ...paging
    },
    answer(Suspect)
  ),
  tool(
    "search",
    "Search by words",
    `Searches substances by name, CAS number, identifier or InChIKey: equal to the word, starting with it, or containing it. ${ledgerSentence}`,
    {
      identifiers: identifierList("Words to search for"),
      match: optional(Schema.Literals(["equal", "starts-with", "contains"]), "Default: equal."),
      ...paging
    },
    answer(SearchHit.SearchHit)
  ),
  tool(
    "harvest_status",
    "Status of harvests",
    "Gives the progress of harvests (long runs): state, outcomes, rate, time left.",
    {
      name: optional(
        Schema.String.check(Schema.isMaxLength(200)),
        "The name of a harvest. Default: all of them."
      )
    },
    Schema.Struct({ harvests: Schema.Array(HarvestStatus) })
  )
)

/** The parameters of the tool that draws a structure. */
export const DrawingParameters = Schema.Struct({
  identifier: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(maxLength)).annotate({
    description: "A DTXSID, or a SMILES"
  }),
  format: optional(Schema.Literals(["png", "svg"]), "Default: png where this computer can make it, else svg.")
})

/** The description of the drawn picture. */
export const DrawingResult = Schema.Struct({
  identifier: Schema.String,
  smiles: Schema.String,
  inchikey: text,
  mimeType: Schema.String
})
