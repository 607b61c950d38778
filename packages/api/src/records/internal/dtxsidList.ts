/** A list of substances, as searches by formula and mass send it. */
import { Schema } from "effect"

const value = Schema.String.annotate({ description: "Substance identifier (DTXSID…)" })

/** The schema of a substance (`value`), and of the list. */
export const dtxsidList: { readonly value: Schema.String; readonly list: Schema.$Array<Schema.String> } = {
  value,
  list: Schema.Array(value)
}
