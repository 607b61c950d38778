/** The settings of a search for suspects: the columns of the table, adducts and tolerance. */
import { Adduct } from "@chemstream/api"
import type { Suspects } from "@chemstream/stream"
import { Effect } from "effect"
import { useState } from "preact/hooks"
import type { Failure } from "../Failure.ts"
import { adductColumns, columnsLike, mzColumns } from "./listInput.ts"

/** The settings as entered. */
export interface Settings {
  /** The column of the m/z. */
  readonly mz: string
  /** The column of the adduct. Empty: none. */
  readonly adduct: string
  readonly polarity: Adduct.Polarity | "neutral"
  /** Adducts, separated by commas. Empty: the usual ones of the polarity. */
  readonly adducts: string
  readonly tolerance: number
  readonly unit: "ppm" | "da"
}

/** Reads the settings. Fails if an adduct is unknown, or the tolerance is no width. */
export const readSettings = ({
  adducts,
  polarity,
  tolerance,
  unit
}: Settings): Effect.Effect<Pick<Suspects.Options, "adducts" | "tolerance">, Failure> =>
  Effect.gen(function* () {
    if (!(tolerance > 0)) return yield* Effect.fail({ message: "The tolerance must be a number above 0" })
    const given = polarity === "neutral" ? "" : adducts
    const names = given.split(",").filter((name) => name.trim() !== "")
    const usual = polarity === "neutral" ? [Adduct.neutral] : Adduct.usual[polarity]
    const parsed = yield* Effect.forEach(names, (name) => Effect.fromResult(Adduct.parse(name.trim())))
    return {
      adducts: parsed.length === 0 ? usual : parsed,
      tolerance: unit === "ppm" ? { ppm: tolerance } : { da: tolerance }
    }
  })

interface Properties {
  /** The columns of the table. Undefined: the input is a list. */
  readonly columns: ReadonlyArray<string> | undefined
  readonly choose: (settings: Settings) => void
}

/** The form. Columns named like m/z and adduct are chosen. */
export const SuspectForm = ({ choose, columns = [] }: Properties) => {
  const [settings, setSettings] = useState<Settings>(() => ({
    mz: columnsLike(columns, mzColumns)[0] ?? columns[0] ?? "",
    adduct: columnsLike(columns, adductColumns)[0] ?? "",
    polarity: "positive",
    adducts: "",
    tolerance: 5,
    unit: "ppm"
  }))
  const select = (label: string, name: keyof Settings, options: ReadonlyArray<readonly [string, string]>) => (
    <label>
      {label}
      <select
        value={settings[name]}
        onChange={(event) => setSettings({ ...settings, [name]: event.currentTarget.value })}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
  const named = columns.map((column) => [column, column] as const)
  const usual = settings.polarity === "neutral" ? [] : Adduct.usual[settings.polarity]
  const submit = (event: Event) => {
    event.preventDefault()
    choose(settings)
  }
  return (
    <form onSubmit={submit}>
      <fieldset>
        <legend>Search</legend>
        <div class="choices">
          {columns.length === 0 ? null : select("Column of the m/z", "mz", named)}
          {columns.length === 0 ? null : select("Column of the adduct", "adduct", [["", "none"], ...named])}
          {select("Polarity", "polarity", [
            ["positive", "positive"],
            ["negative", "negative"],
            ["neutral", "neutral masses"]
          ])}
          <label>
            Adducts to try
            <input
              type="text"
              disabled={settings.polarity === "neutral"}
              placeholder={usual.map(({ name }) => name).join(",")}
              value={settings.adducts}
              onInput={(event) => setSettings({ ...settings, adducts: event.currentTarget.value })}
            />
          </label>
          <label>
            Tolerance
            <input
              type="number"
              min="0"
              step="any"
              required
              value={settings.tolerance}
              onInput={(event) => setSettings({ ...settings, tolerance: event.currentTarget.valueAsNumber })}
            />
          </label>
          {select("Unit", "unit", [
            ["ppm", "ppm"],
            ["da", "Da"]
          ])}
        </div>
      </fieldset>
      <button type="submit">Find candidates</button>
    </form>
  )
}
