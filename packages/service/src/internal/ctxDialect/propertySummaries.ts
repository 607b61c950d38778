/**
 * Makes the values in the summary of one property, e.g. the boiling points of a substance, from the records of the property.
 */
import { RawArray, RawProjection, RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"

/** The fields of a value in a summary, and those of the records of values. Undefined: no record has it. */
const fields = {
  propValue: "propValue",
  sourceName: "sourceName",
  sourceDescription: "sourceDescription",
  publicSourceUrl: "publicSourceUrl",
  directUrl: "directUrl",
  responseSite: "expDetailsResponseSite",
  speciesLatin: "expDetailsSpeciesLatin",
  availability: undefined,
  showLink: undefined
} as const

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

type Read = (record: RawRecord.RawRecord) => ReadonlyArray<RawRecord.RawRecord | undefined>

/** The records in the service are valid JSON. */
const reader = (names: ReadonlyArray<string>): Read => {
  const read = RawProjection.reader(names)
  return (record) => Result.getOrThrow(read(record))
}

const textOf = (value: RawRecord.RawRecord | undefined): string =>
  value === undefined ? "null" : RawRecord.toText(value)

/** Makes the function that returns the value of a record of a property, as text. */
const summaryOf = (nameOf: (name: string) => string): ((record: RawRecord.RawRecord) => string) => {
  const read = reader(Object.values(fields).map((name) => (name === undefined ? "" : nameOf(name))))
  return (record) => {
    const values = read(record)
    const texts = Object.keys(fields).map((name, at) => `"${name}":${textOf(values[at])}`)
    return `{${texts.join(",")}}`
  }
}

const ofProperty = summaryOf((name) => name)

const ofFate = summaryOf(snakeCase)

const propertyName = reader(["propName"])

const elementsOf = (list: RawRecord.RawRecord | undefined): ReadonlyArray<RawRecord.RawRecord> =>
  list === undefined ? [] : Result.getOrThrow(RawArray.cut(RawRecord.toBytes(list)))

const isNamed = (name: string) => {
  const text = JSON.stringify(name)
  return (record: RawRecord.RawRecord): boolean => textOf(propertyName(record)[0]) === text
}

/** Returns the values of a property in the records of properties of a substance. */
export const inProperties = (records: ReadonlyArray<Uint8Array>, name: string): ReadonlyArray<string> =>
  records
    .map((record) => RawRecord.fromBytes(record))
    .filter(isNamed(name))
    .map(ofProperty)

/** Returns the values of a property in the fate record of a substance: those in a list of the property. */
export const inFate = (
  records: ReadonlyArray<Uint8Array>,
  name: string,
  list: "experimentalFateData" | "predictedFateData"
): ReadonlyArray<string> => {
  const [readProperties, readList] = [reader(["properties"]), reader([list])]
  return records
    .flatMap((record) => elementsOf(readProperties(RawRecord.fromBytes(record))[0]))
    .filter(isNamed(name))
    .flatMap((property) => elementsOf(readList(property)[0]))
    .map(ofFate)
}
