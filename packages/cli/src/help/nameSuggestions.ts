/**
 * Suggests the name that was most likely meant by an unknown name.
 */
import { Quote } from "@chemstream/api"
import { InvalidOption } from "@chemstream/client"

export const nearest = InvalidOption.nearest

/** Returns the nearest name as a question in brackets. Empty if none is near. */
export const didYouMean = (name: string, names: ReadonlyArray<string>): string => {
  const meant = nearest(name, names)
  return meant === undefined ? "" : ` (did you mean ${meant}?)`
}

/** Says which fields of an option no record has, with the nearest names, or all. */
export const unknownField = (
  option: string,
  fields: ReadonlyArray<string>,
  known: Iterable<string>
): string => {
  const names = [...known]
  const meant = fields.map((field) => didYouMean(field, names))
  const words = fields.map((field, at) => `${Quote.value(field)}${meant[at]}`).join(", ")
  const all = meant.includes("") ? `, only ${listed(names)}` : ""
  return `${option}: no record has the ${fields.length === 1 ? "field" : "fields"} ${words}${all}`
}

/** The most names in one text. */
const most = 30

const groupOf = (name: string): string => name.split(/[\s-]/)[0] ?? ""

/**
 * Returns names as text: all of them if they are few, else those of the group of a given name, else the groups. The group is the first
 * word of a name.
 */
export const listed = (names: ReadonlyArray<string>, given = ""): string => {
  if (names.length <= most) return names.join(", ")
  const groups = Map.groupBy(names, groupOf)
  const same = groups.get(groupOf(given))
  if (same !== undefined && same.length <= most) return same.join(", ")
  return [...groups].map(([group, all]) => (all.length === 1 ? all[0] : `${group}…`)).join(", ")
}
