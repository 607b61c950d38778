/**
 * Computes the fitted curve of a bioactivity data record as a function of concentration. `Plot.curve` draws it.
 *
 * The models are those of the ToxCast pipeline (R package tcplfit2, function tcplfit2_core): constant, linear,
 * quadratic, power, four exponentials, Hill and gain-loss. Parameters are read from `mc5Param` by name, then from
 * `mc4Param` by model and name. Older pipelines with logarithmic concentrations are not supported.
 */
import { BioactivityData } from "@chemstream/api"
import { checkedRecord } from "./internal/arguments.ts"
import { drawableNumber } from "./internal/records/recordFields.ts"

/** A model with its parameters. Concentrations are µM, responses in the unit of the endpoint. */
export interface Curve {
  /** The name of the model in the record, e.g. `hill`. */
  readonly model: Model
  /** The name of the model for people, e.g. `Hill`. */
  readonly name: string
  /** Its parameters, e.g. `{ tp: 50, ga: 3, p: 1.2 }`. */
  readonly parameters: Readonly<Record<string, number>>
  /** Returns the response at a concentration of 0 or more. */
  readonly at: (concentration: number) => number
}

interface Form {
  readonly name: string
  readonly parameters: ReadonlyArray<string>
  readonly at: (x: number, parameter: (name: string) => number) => number
}

const forms = {
  cnst: { name: "constant", parameters: [], at: () => 0 },
  poly1: { name: "linear", parameters: ["a"], at: (x, get) => get("a") * x },
  poly2: {
    name: "quadratic",
    parameters: ["a", "b"],
    at: (x, get) => get("a") * (x / get("b") + (x / get("b")) ** 2)
  },
  pow: { name: "power", parameters: ["a", "p"], at: (x, get) => get("a") * x ** get("p") },
  exp2: {
    name: "exponential 2",
    parameters: ["a", "b"],
    at: (x, get) => get("a") * Math.expm1(x / get("b"))
  },
  exp3: {
    name: "exponential 3",
    parameters: ["a", "b", "p"],
    at: (x, get) => get("a") * Math.expm1((x / get("b")) ** get("p"))
  },
  exp4: {
    name: "exponential 4",
    parameters: ["tp", "ga"],
    at: (x, get) => get("tp") * (1 - 2 ** -(x / get("ga")))
  },
  exp5: {
    name: "exponential 5",
    parameters: ["tp", "ga", "p"],
    at: (x, get) => get("tp") * (1 - 2 ** -((x / get("ga")) ** get("p")))
  },
  hill: {
    name: "Hill",
    parameters: ["tp", "ga", "p"],
    at: (x, get) => get("tp") / (1 + (get("ga") / x) ** get("p"))
  },
  gnls: {
    name: "gain-loss",
    parameters: ["tp", "ga", "p", "la", "q"],
    at: (x, get) => get("tp") / (1 + (get("ga") / x) ** get("p")) / (1 + (x / get("la")) ** get("q"))
  }
} satisfies Readonly<Record<string, Form>>

/** The name of a model. */
export type Model = keyof typeof forms

/** The models that have a curve. */
export const models: ReadonlyArray<Model> = Object.keys(forms) as Array<Model>

/** The fields of a data record that define its curve. */
export type CurveFields = Pick<BioactivityData.BioactivityData, "modl" | "mc4Param" | "mc5Param">

/**
 * Returns the curve of the winning model.
 *
 * Undefined if no model was fitted, if `models` lacks the model, or if a parameter is missing.
 *
 * @example
 *
 * ```ts
 * import { Curve } from "@chemstream/figures"
 *
 * const curve = Curve.fromRecord({ modl: "hill", mc5Param: { tp: 50, ga: 3, p: 1 } })
 * curve?.name // => "Hill"
 * curve?.at(3) // => 25
 * Curve.fromRecord({ modl: "none" }) // => undefined
 * ```
 */
export const fromRecord = (record: CurveFields): Curve | undefined => {
  const { mc4Param, mc5Param, modl } = checkedRecord(record)
  if (typeof modl !== "string" || !isModel(modl)) return undefined
  const form: Form = forms[modl]
  const parameters: Record<string, number> = {}
  for (const name of form.parameters) {
    const value = drawableNumber(mc5Param?.[name]) ?? drawableNumber(mc4Param?.[`${modl}_${name}`])
    if (value === undefined) return undefined
    parameters[name] = value
  }
  return {
    model: modl,
    name: form.name,
    parameters,
    at: (concentration) => form.at(concentration, (name) => parameters[name] as number)
  }
}

/** Returns the AC50 of a data record or of a point of the summary plot, in µM: the concentration at half the top. */
export const ac50 = (record: CurveFields & { readonly ac50?: unknown }): number | undefined =>
  drawableNumber(BioactivityData.ac50(record)) || undefined

/** Returns the top of the winning model of a data record or of a point of the summary plot, in response units. */
export const top = (record: CurveFields & { readonly top?: unknown }): number | undefined =>
  drawableNumber(checkedRecord(record).top) ??
  drawableNumber(record.mc5Param?.["top"]) ??
  drawableNumber(record.mc4Param?.[`${record.modl}_top`])

const isModel = (name: string): name is Model => Object.hasOwn(forms, name)
