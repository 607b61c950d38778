/** The records of lists of substances of the public service (docs/families/lists.md). */
import { integer, lazyRecord, text, textOrTexts } from "../schemas/internal/lazyRecord.ts"
import type * as Types from "./internal/types/ListRecords.ts"

const about = { family: "lists", "x-primary-key": ["listName"] } as const

const listName = text("Name of the list, by which it is requested, e.g. 40CFR1164")

/** The fields of a list. */
const fields = {
  id: integer("Number of the list"),
  listName,
  label: text("Title of the list, with its topic in capitals"),
  type: text("Type of the list: federal, international, state or other"),
  shortDescription: text("Short description of the list; may have HTML"),
  longDescription: text("Description of the list and its sources; has HTML"),
  chemicalCount: integer("Number of substances in the list"),
  updatedAt: text("When the list last changed, ISO 8601 in UTC")
} as const

/** The schema of a list of substances. */
export const List = lazyRecord<Types.List>({ ...about, title: "List of substances" }, fields)

/** A list of substances. */
export type List = Types.List

/** The schema of a list of substances with its members. */
export const ListWithMembers = lazyRecord<Types.ListWithMembers>(
  { ...about, title: "List of substances with its members" },
  {
    ...fields,
    dtxsids: textOrTexts("Substance identifiers (DTXSID…) of the members: one text with commas, or a list")
  }
)

/** A list of substances with its members. */
export type ListWithMembers = Types.ListWithMembers

/** The schema of the name of a list. */
export const ListName = lazyRecord<Types.ListName>(
  { ...about, title: "Name of a list of substances" },
  { listName }
)

/** The name of a list. */
export type ListName = Types.ListName
