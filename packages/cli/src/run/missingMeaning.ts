/**
 * What it means that a service has no record of a value, by the endpoint that was asked: of a substance that it knows
 * well it may have no data of one kind.
 */

/** The meanings, by the beginning of an endpoint's name; the first that fits. */
const meanings: ReadonlyArray<readonly [string, (id: string) => string]> = [
  ["bioactivity.byM4id", (id) => `the service has no data record ${id}`],
  ["bioactivity.aed", (id) => `the service has no AED data of ${id}`],
  ["bioactivity", (id) => `the service has no bioactivity data of ${id}`],
  ["synonyms", (id) => `the service has no synonyms of ${id}`],
  ["msready", (id) => `the service has no MS-ready substance of ${id}`],
  ["search.byExactFormula", (id) => `the service has no substance of the formula ${id}`],
  ["search.byMsreadyFormula", (id) => `the service has no MS-ready substance of the formula ${id}`]
]

/** That the service has nothing of a value, as true as it can be told. */
export const absence = (endpoint: string, id: string): string => {
  const [, tell] = meanings.find(([beginning]) => endpoint.startsWith(beginning)) ?? []
  return tell?.(id) ?? `the service does not know ${id}`
}
