/**
 * The endpoints of environmental fate and transport of the public service (docs/families/fate.md).
 *
 * Properties of a row here (`endpoints/Row.ts` has all): `miss`, the response to an unknown value; `recordKey: null`, records that do not
 * name their value; `from`, the row whose stored records a service uses; `suggested`, the batch size of lookups.
 */
import { Schema } from "effect"
import * as Family from "../endpoints/Family.ts"
import * as Row from "../endpoints/Row.ts"
import * as PropertyRecords from "../records/PropertyRecords.ts"
import { bySubstance } from "./internal/bySubstance.ts"

/** The family of fate. */
export const family = Family.make({
  word: "fate",
  title: "Environmental fate",
  description: "Fate of substances in the environment, predicted and measured",
  about:
    "Degradation, bioconcentration, sorption and transport in the environment. A substance has one record with all its fate properties, and each property has lists of predicted and of measured values. `--summary` writes one line for each property instead."
})

/** The words of all rows: a switch and `--by` choose one. */
const words = ["fate"] as const

/**
 * The fate of substances: one record each, with all fate properties. The response to one substance is the list of the
 * properties alone. A record is 100 kB and more, so a batch is far smaller than its limit.
 */
export const byDtxsid = Row.make({
  ...bySubstance,
  name: "fate.byDtxsid",
  what: "fate records",
  one: "fate record",
  note: "Each value is in the `prop_unit` beside it. A model may have no value: `prop_value_error` says why.",
  multiplicity: "one",
  record: PropertyRecords.Fate,
  get: {
    path: "/chemical/fate/search/by-dtxsid/{dtxsid}",
    answer: "list",
    part: { field: "properties", record: PropertyRecords.FateProperty },
    title: "Fate properties of a substance"
  },
  batch: {
    path: "/chemical/fate/search/by-dtxsid/",
    limit: 1000,
    documented: true,
    suggested: 50,
    refusal: 400
  },
  command: {
    words,
    part: "all",
    description: "Environmental fate and transport of substances, one NDJSON line each",
    by: "Kind of the values: substances with all properties, or with that of --propName",
    examples: [
      { command: "chemstream fate DTXSID7020182", description: "All fate properties of a substance" },
      {
        command: "chemstream fate --summary DTXSID7020182",
        description: "One line for each fate property: number, range, median and mean of its values"
      }
    ]
  }
})

/** The summaries of the fate properties of substances: a record for each property. */
export const summary = Row.make({
  ...bySubstance,
  name: "fate.summary",
  what: "summaries of fate properties",
  one: "summary of a fate property",
  note: "The values are in `unit`. The order of the fields varies.",
  recordKey: null,
  record: PropertyRecords.Summary,
  get: { path: "/chemical/fate/summary/search/by-dtxsid/{dtxsid}", answer: "list" },
  command: {
    words,
    flag: { name: "summary", description: "Number, range, median and mean of the values of each property" }
  }
})

/** The query of the rows of one property. */
const query = {
  propName: Schema.NonEmptyString.annotate({
    description: "Name of the property, e.g. Bioconcentration Factor"
  })
}

/** The summary of one fate property of substances. An unknown property has an empty list. */
export const summaryByName = Row.make({
  ...bySubstance,
  name: "fate.summaryByName",
  from: { row: "fate.summary" },
  what: "summaries of a fate property",
  one: "summary of a fate property",
  note: "The values are in `unit`. The order of the fields varies.",
  recordKey: null,
  query,
  record: PropertyRecords.Summary,
  get: { path: "/chemical/fate/summary/search/", answer: "either" },
  command: { words, part: "summary" }
})

/** The predicted values in the summary of one fate property of substances. */
export const predictedSummaryByName = Row.make({
  ...bySubstance,
  name: "fate.predictedSummaryByName",
  from: { row: "fate.byDtxsid" },
  what: "predicted values of a fate property",
  one: "predicted value of a fate property",
  recordKey: null,
  query,
  record: PropertyRecords.SummaryValue,
  get: { path: "/chemical/fate/summary/predicted/search/", answer: "list" },
  command: { words, part: "predicted" }
})

/** The measured values in the summary of one fate property of substances. */
export const experimentalSummaryByName = Row.make({
  ...bySubstance,
  name: "fate.experimentalSummaryByName",
  from: { row: "fate.byDtxsid" },
  what: "measured values of a fate property",
  one: "measured value of a fate property",
  recordKey: null,
  query,
  record: PropertyRecords.SummaryValue,
  get: { path: "/chemical/fate/summary/experimental/search/", answer: "list" },
  command: { words, part: "experimental" }
})
