/** Checks the arguments of figures. Programs without types may confuse them. */
import { Options } from "@chemstream/batch"

const text = /* @__PURE__ */ Options.required(Options.text)

const chemicalKind = /* @__PURE__ */ Options.required(
  Options.kind("a chemical, e.g. { id, details }", (value) => typeof Object(value).id === "string")
)

/** Throws `InvalidOption` if a value is no text. */
export const checkText = (name: string, value: unknown): void =>
  Options.refuseArguments({ [name]: text }, [value])

/** Throws `InvalidOption` if a value is no chemical. */
export const checkChemical = (chemical: unknown): void =>
  Options.refuseArguments({ chemical: chemicalKind }, [chemical])

/** Throws `InvalidOption` if a value is no list of objects, or of texts. */
export const checkList = (name: string, values: unknown, type: "object" | "string" = "object"): void => {
  const wanted = `a ${type === "object" ? "record" : "text"}`
  const element = Options.kind(wanted, (value) => value !== null && typeof value === type)
  Options.refuseArguments({ [name]: Options.required(Options.list(element)) }, [values])
}
