/** Numbers and durations for people. */

/** Renders a number with its noun. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** Renders the counts of these names: `["2 found", "1 missing"]`. */
export const countTexts = <Name extends string>(
  counts: Readonly<Record<Name, number>>,
  names: ReadonlyArray<Name>
): ReadonlyArray<string> => names.map((name) => `${count(counts[name])} ${name}`)

/** Renders a number with separators between thousands, e.g. `12,345`. */
export const count = (value: number): string => value.toLocaleString("en-US")

/** Renders seconds in words for people: `40 s`, `34 min`, `2.5 h`. */
export const durationText = (seconds: number): string => {
  if (seconds < 100) return `${Math.ceil(seconds)} s`
  return seconds < 6000 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
