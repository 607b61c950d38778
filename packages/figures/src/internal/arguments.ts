/** Checks the arguments of figures. Programs without types may confuse them. */
import { Options } from "@chemstream/batch"

const chemicalKind = /* @__PURE__ */ Options.kind(
  "a chemical, e.g. { id, details }",
  (value) => typeof Object(value).id === "string"
)

/** Returns a chemical. Throws `InvalidOption` if the value is none. */
export const checkedChemical = <A>(chemical: A): A => Options.argument("chemical", chemicalKind, chemical)

const recordKind = /* @__PURE__ */ Options.object("a record")

/** Returns a record. Throws `InvalidOption` if the value is none. */
export const checkedRecord = <A>(record: A): A => Options.argument("record", recordKind, record)

/** Throws `InvalidOption` if a value is no list of objects, or of texts. */
export const checkList = (name: string, values: unknown, type: "object" | "string" = "object"): void => {
  const wanted = `a ${type === "object" ? "record" : "text"}`
  const element = Options.kind(wanted, (value) => value !== null && typeof value === type)
  Options.refuseArguments({ [name]: Options.required(Options.list(element)) }, [values])
}
