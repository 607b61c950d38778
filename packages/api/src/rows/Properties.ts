/**
 * The endpoints of properties of the public service (docs/families/properties.md).
 *
 * Properties of a row here (`endpoints/Row.ts` has all): `miss`, the response to an unknown value; `recordKey: null`, records that do not
 * name their value; `from`, the row whose stored records a service uses; `order`, the field that sorts the records of a value; `blank`,
 * what stands for no value; `vocabulary`, the source of the known values; `suggested`, the batch size of lookups; `special`, why a service
 * needs code of its own.
 */
import { Schema } from "effect"
import * as Family from "../endpoints/Family.ts"
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import * as PropertyRecords from "../records/PropertyRecords.ts"
import { bySubstance } from "./internal/bySubstance.ts"

/** The family of properties. */
export const family = Family.make({
  word: "properties",
  title: "Properties",
  description: "Predicted and measured properties of substances",
  about:
    "Physicochemical properties such as boiling point, vapour pressure and log Kow. A predicted property has a record for each model, a measured one for each measurement, and a summary has one record for each property. The unit is in the record, because different properties have different units. `properties names` has the names that ranges and summaries take."
})

/** A record is 1 to 2 kB, and a substance has about 40 of them: 1,000 substances are 60 MB. */
const batch = { limit: 1000, documented: true, suggested: 100, refusal: 400 } as const

const predictedNote =
  "`propValue` is in `propUnit`, and null where `propValueError` says why. Several models predict the same property, so the model belongs to the name."

const experimentalNote =
  "`propValue` is in `propUnit`; `propValueOriginal` is the value of the source. A property may have many values."

/** The predicted properties of substances: a record for each model and property. */
export const predicted = Row.make({
  ...bySubstance,
  name: "properties.predicted",
  what: "predicted properties",
  one: "predicted property",
  note: predictedNote,
  blank: { canonQsarSmiles: ["N/A"] },
  record: PropertyRecords.Predicted,
  get: { path: "/chemical/property/predicted/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: { ...batch, path: "/chemical/property/predicted/search/by-dtxsid/" },
  command: {
    examples: [
      {
        command: "chemstream properties predicted DTXSID7020182",
        description: "All predictions for a substance, one line for each model"
      },
      {
        command: 'chemstream properties predicted --by property-range "Boiling Point,340,365"',
        description: "The substances with a predicted boiling point from 340 to 365 °C"
      }
    ]
  }
})

/** The predicted values of a property in a range. */
export const predictedInRange = Row.make({
  dialect: "ctx",
  name: "properties.predictedInRange",
  from: { row: "properties.predicted", key: "propName" },
  special: "a range of the values of a property",
  what: "predicted values",
  one: "predicted value",
  order: "id",
  note: "The range is in the unit of the property, with both ends. The response is not limited in size.",
  blank: { canonQsarSmiles: ["N/A"] },
  key: Key.propertyRange,
  vocabulary: { row: () => predictedNames, field: "propertyName", of: "propertyName" },
  recordKey: null,
  multiplicity: "many",
  miss: "empty",
  record: PropertyRecords.Predicted,
  get: { path: "/chemical/property/predicted/search/by-range/{propertyName}/{start}/{end}", answer: "list" },
  command: { words: ["properties", "predicted"] }
})

/** The measured properties of substances: a record for each measurement. */
export const experimental = Row.make({
  ...bySubstance,
  name: "properties.experimental",
  what: "measured properties",
  one: "measured property",
  order: "id",
  note: experimentalNote,
  record: PropertyRecords.Experimental,
  get: { path: "/chemical/property/experimental/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: { ...batch, path: "/chemical/property/experimental/search/by-dtxsid/", suggested: 40 },
  command: {
    examples: [
      {
        command: "chemstream properties experimental DTXSID4020533",
        description: "All measurements of a substance, with their sources"
      }
    ]
  }
})

/** The measured values of a property in a range. */
export const experimentalInRange = Row.make({
  dialect: "ctx",
  name: "properties.experimentalInRange",
  from: { row: "properties.experimental", key: "propName" },
  special: "a range of the values of a property",
  what: "measured values",
  one: "measured value",
  order: "id",
  note: "The range is in the unit of the property, with both ends. The response is not limited in size.",
  key: Key.propertyRange,
  vocabulary: { row: () => experimentalNames, field: "propertyName", of: "propertyName" },
  recordKey: null,
  multiplicity: "many",
  miss: "empty",
  record: PropertyRecords.Experimental,
  get: {
    path: "/chemical/property/experimental/search/by-range/{propertyName}/{start}/{end}",
    answer: "list"
  },
  command: { words: ["properties", "experimental"] }
})

/** The query of the rows of one property. */
const query = {
  propName: Schema.NonEmptyString.annotate({ description: "Name of the property, e.g. Boiling Point" })
}

/** The words of the summaries. */
const words = ["properties", "summary"] as const

/** The summaries of the properties of substances: a record for each property. */
export const summary = Row.make({
  ...bySubstance,
  name: "properties.summary",
  what: "summaries of properties",
  one: "summary of a property",
  note: "The values are in `unit`. The order of the fields varies.",
  recordKey: null,
  record: PropertyRecords.Summary,
  get: { path: "/chemical/property/summary/search/by-dtxsid/{dtxsid}", answer: "list" },
  command: {
    words,
    part: "all",
    description: "Number, range, median and mean of the values of each property, one NDJSON line each",
    by: "Kind of the values: substances with all properties, or with that of --propName",
    examples: [
      {
        command: "chemstream properties summary DTXSID7020182",
        description: "The properties of a substance in short"
      },
      {
        command: 'chemstream properties summary --by name --propName "Boiling Point" DTXSID7020182',
        description: "One property of a substance"
      }
    ]
  }
})

/** The summary of one property of substances. An unknown property has an empty list. */
export const summaryByName = Row.make({
  ...bySubstance,
  name: "properties.summaryByName",
  from: { row: "properties.summary" },
  what: "summaries of a property",
  one: "summary of a property",
  note: "The values are in `unit`. The order of the fields varies.",
  recordKey: null,
  query,
  record: PropertyRecords.Summary,
  get: { path: "/chemical/property/summary/search/", answer: "either" },
  command: { words, part: "all" }
})

/** The predicted values in the summary of one property of substances. */
export const predictedSummaryByName = Row.make({
  ...bySubstance,
  name: "properties.predictedSummaryByName",
  from: { row: "properties.predicted" },
  what: "predicted values of a property",
  one: "predicted value of a property",
  recordKey: null,
  query,
  record: PropertyRecords.SummaryValue,
  get: { path: "/chemical/property/summary/predicted/search/", answer: "list" },
  command: { words, part: "predicted" }
})

/** The measured values in the summary of one property of substances. */
export const experimentalSummaryByName = Row.make({
  ...bySubstance,
  name: "properties.experimentalSummaryByName",
  from: { row: "properties.experimental" },
  what: "measured values of a property",
  one: "measured value of a property",
  recordKey: null,
  query,
  record: PropertyRecords.SummaryValue,
  get: { path: "/chemical/property/summary/experimental/search/", answer: "list" },
  command: { words, part: "experimental" }
})

/** The names of the properties that models predict. */
export const predictedNames = Row.make({
  dialect: "ctx",
  name: "properties.predictedNames",
  what: "names of predicted properties",
  note: "Ranges and summaries of a property need its name as it is here.",
  multiplicity: "many",
  miss: "empty",
  record: PropertyRecords.PropertyName,
  get: { path: "/chemical/property/predicted/name", answer: "list" },
  command: {
    words: ["properties", "names"],
    part: "predicted",
    description: "The names of the properties, one NDJSON line each",
    examples: [
      { command: "chemstream properties names", description: "The properties that models predict" },
      {
        command: "chemstream properties names --part experimental",
        description: "The properties with measured values"
      }
    ]
  }
})

/** The names of the properties with measured values. */
export const experimentalNames = Row.make({
  dialect: "ctx",
  name: "properties.experimentalNames",
  what: "names of measured properties",
  note: "Ranges and summaries of a property need its name as it is here.",
  multiplicity: "many",
  miss: "empty",
  record: PropertyRecords.PropertyName,
  get: { path: "/chemical/property/experimental/name", answer: "list" },
  command: { words: ["properties", "names"], part: "experimental" }
})
