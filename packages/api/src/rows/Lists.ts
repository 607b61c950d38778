/**
 * The endpoints of lists of substances of the public service (docs/families/lists.md): the lists, their members, and the
 * lists of a substance.
 *
 * Properties of a row here (`endpoints/Row.ts` has all): `miss`, the response to an unknown value; `recordKey: null`, records that do not
 * name their value; `scalar`, the name of a bare value; `alsoSent`, further shapes of a response; `form` and `forms`, the records by
 * projection; `from`, the row whose stored records a service uses; `vocabulary`, the source of the known values; `special`, why a service
 * needs code of its own.
 */
import { Schema } from "effect"
import * as Family from "../endpoints/Family.ts"
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import { dtxsidList } from "../records/internal/dtxsidList.ts"
import * as ListRecords from "../records/ListRecords.ts"

/** The family of lists. */
export const family = Family.make({
  word: "lists",
  title: "Lists of substances",
  description: "Public lists of substances, and their members",
  about:
    "Lists of laws, programmes and research projects, e.g. the PFAS lists of the EPA. A list has a name in capitals, a description and the substances in it. Its members are often the input of other commands: `chemstream lists members NAME | chemstream details`."
})

const list = Key.text("listName", {
  one: "a list",
  many: "lists",
  example: "40CFR1164",
  description: "Name of a list, in capitals or not"
})

const type = Key.text("listType", {
  one: "a type of lists",
  many: "types of lists",
  example: "federal",
  description: "Type of a list: federal, international, state or other"
})

/** The common part of the rows of lists. */
const lists = {
  dialect: "ctx",
  what: "lists",
  one: "list",
  multiplicity: "many",
  miss: "empty",
  record: ListRecords.List,
  form: "chemicallistall"
} as const

/** The names of all lists. */
const names = { row: () => all, field: "listName", projection: "chemicallistname" } as const

const nameForm = { record: ListRecords.ListName } as const

/** The forms of a list among others. */
const forms = {
  chemicallistname: { ...nameForm, answer: "list" },
  chemicallistwithdtxsids: { record: ListRecords.ListWithMembers, answer: "list" }
} as const

const formsNote = "chemicallistname for the names alone, chemicallistwithdtxsids for the members too"

/** All lists. With their members, they are many megabytes. */
export const all = Row.make({
  ...lists,
  name: "lists.all",
  what: "lists of substances",
  note: "Descriptions have HTML. With the members, the response is many megabytes.",
  forms,
  formsNote,
  get: { path: "/chemical/list/all", answer: "list" },
  command: {
    description: "All lists of substances, one NDJSON line each",
    examples: [
      {
        command: "chemstream lists all --fields listName,chemicalCount",
        description: "Names and sizes of all lists"
      }
    ]
  }
})

/** All types that lists have, e.g. `federal`. `byType` takes one. */
export const types = Row.make({
  dialect: "ctx",
  name: "lists.types",
  from: { row: "lists.all", value: "type" },
  what: "types of lists",
  multiplicity: "many",
  miss: "empty",
  scalar: "type",
  record: () => Schema.String.annotate({ description: "Type of a list, e.g. federal" }),
  get: { path: "/chemical/list/type", answer: "list" },
  command: {
    description: "The types of lists, one NDJSON line each",
    examples: [{ command: "chemstream lists types", description: "federal, international, other and state" }]
  }
})

/** Lists by name: one record each. The name is in capitals or not. */
export const byName = Row.make({
  ...lists,
  name: "lists.byName",
  from: { row: "lists.all", key: "listName" },
  what: "descriptions",
  one: "description",
  note: "Descriptions have HTML. `lists.members` has the members one by one.",
  key: list,
  vocabulary: names,
  multiplicity: "one",
  miss: "400",
  forms: {
    chemicallistname: { ...nameForm, answer: "one" },
    chemicallistwithdtxsids: { record: ListRecords.ListWithMembers, answer: "one" }
  },
  formsNote,
  get: { path: "/chemical/list/search/by-name/{listName}", answer: "one", alsoSent: ["list"] },
  command: {
    words: ["lists", "show"],
    description: "Lists of substances by name or type, one NDJSON line each",
    examples: [
      { command: "chemstream lists show 40CFR1164", description: "The description and size of a list" },
      { command: "chemstream lists show --by type state", description: "The lists of states" }
    ]
  }
})

/** The lists of one of `types`, e.g. `federal`. */
export const byType = Row.make({
  ...lists,
  name: "lists.byType",
  from: { row: "lists.all", key: "type" },
  note: "Descriptions have HTML.",
  key: type,
  vocabulary: { row: () => types },
  recordKey: "type",
  forms,
  formsNote,
  get: { path: "/chemical/list/search/by-type/{listType}", answer: "list" },
  command: { words: ["lists", "show"] }
})

/** The lists that substances are in. */
export const of = Row.make({
  ...lists,
  name: "lists.of",
  from: { row: "lists.all", key: "dtxsids", value: "listName", separator: "," },
  special: "the lists whose members have the substance",
  note: "A common substance is in more than a hundred lists. Descriptions have HTML.",
  key: Key.dtxsid,
  recordKey: null,
  forms: { chemicallistname: { ...nameForm, answer: "list" } },
  formsNote: "chemicallistname for the names alone",
  get: { path: "/chemical/list/search/by-dtxsid/{dtxsid}", answer: "list" },
  command: {
    description: "The lists that substances are in, one NDJSON line each",
    examples: [
      {
        command: "chemstream lists of DTXSID7020182 --projection chemicallistname",
        description: "The names of the lists with a substance"
      }
    ]
  }
})

/** The common part of the rows of the members of lists. */
const substances = {
  dialect: "ctx",
  recordKey: null,
  multiplicity: "many",
  miss: "empty",
  scalar: "dtxsid",
  record: () => dtxsidList.value
} as const

/** The substances of lists. An unknown list has none, like an empty one. */
export const members = Row.make({
  ...substances,
  name: "lists.members",
  from: { row: "lists.all", key: "listName", value: "dtxsids", separator: "," },
  what: "substances",
  note: "An unknown list has none, like an empty one: `lists.byName` tells them apart. The largest list has 96,000.",
  key: list,
  vocabulary: names,
  get: {
    path: "/chemical/list/chemicals/search/by-listname/{listName}",
    answer: "list",
    title: "Substances of a list"
  },
  command: {
    description: "The substances of lists, one NDJSON line each",
    examples: [
      {
        command: "chemstream lists members 40CFR1164 | chemstream details",
        description: "The details of the substances of a list"
      }
    ]
  }
})

/** The common part of the searches in the members of a list. */
const words = { ...substances, key: Key.listWord, vocabulary: { ...names, of: "list" } } as const

/** The substances of a list with a name or identifier that starts with a word. */
export const membersStartWith = Row.make({
  ...words,
  name: "lists.membersStartWith",
  special: "a text search in the members of a list",
  what: "substances of a list with a name or identifier that starts with a word",
  get: {
    path: "/chemical/list/chemicals/search/start-with/{list}/{word}",
    answer: "list",
    title: "Substances of a list with a name or identifier that starts with a word"
  },
  command: {
    description: "The substances of a list with a name that starts with this word, one NDJSON line each",
    examples: [
      {
        command: "chemstream lists members-start-with 40CFR1164,Benz",
        description: "The substances of a list whose names start with Benz"
      }
    ]
  }
})

/** The substances of a list with a name or identifier that contains a word. */
export const membersContain = Row.make({
  ...words,
  name: "lists.membersContain",
  special: "a text search in the members of a list",
  what: "substances of a list with a name or identifier that contains a word",
  get: {
    path: "/chemical/list/chemicals/search/contain/{list}/{word}",
    answer: "list",
    title: "Substances of a list with a name or identifier that contains a word"
  },
  command: {
    description: "The substances of a list with a name that contains this word, one NDJSON line each",
    examples: [
      {
        command: "chemstream lists members-contain 40CFR1164,chloro",
        description: "The substances of a list with chloro in their names"
      }
    ]
  }
})

/** The substances of a list with exactly a name or identifier. */
export const membersEqual = Row.make({
  ...words,
  name: "lists.membersEqual",
  special: "a text search in the members of a list",
  what: "substances of a list with exactly a name or identifier",
  get: {
    path: "/chemical/list/chemicals/search/equal/{list}/{word}",
    answer: "list",
    title: "Substances of a list with exactly a name or identifier"
  },
  command: {
    description: "The substances of a list with exactly this name or identifier, one NDJSON line each",
    examples: [
      {
        command: "chemstream lists members-equal 40CFR1164,71-43-2",
        description: "Whether the substance with a CAS number is in a list"
      }
    ]
  }
})
