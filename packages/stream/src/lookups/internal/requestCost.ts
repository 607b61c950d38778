/** Counts the requests for identifiers before any is sent, for `Plan`. The cost of identifiers is the number of their requests. */
import { type Dialect, Operation } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import type { Cost, Lookup } from "./lookupType.ts"

/** The cost of nothing. */
export const none: Cost = { kinds: {}, least: 0, most: 0 }

/** The fewest and the most requests. */
export type Requests = Pick<Cost, "least" | "most">

const plan = /* @__PURE__ */ Options.objectWith("a plan", { least: Options.amount })

/** Adds requests. The most is unknown if it is unknown for one of them. */
export const sumRequests = (all: Iterable<Requests>): Requests => {
  let [least, most]: [number, number | undefined] = [0, 0]
  for (const one of Options.argument("all", Options.iterable("plans"), all)) {
    least += Options.argument("all", plan, one).least
    most = most === undefined || one.most === undefined ? undefined : most + one.most
  }
  return { least, most }
}

/** Adds costs. */
export const sum = (costs: ReadonlyArray<Cost>): Cost => {
  const kinds: Record<string, number> = {}
  for (const cost of costs)
    for (const [kind, count] of Object.entries(cost.kinds)) kinds[kind] = (kinds[kind] ?? 0) + count
  return { kinds, ...sumRequests(costs) }
}

/** Starts to count the requests of a lookup for any number of distinct identifiers, in batches of its size. */
export const of = (
  { cost, size }: Pick<Lookup<unknown, unknown>, "cost" | "size">,
  dialect: Dialect.Name
): ((ids: ReadonlyArray<string>) => Cost) => {
  const ofBatch = cost?.(dialect) ?? ((ids) => exactly({ values: ids.length }, 1))
  return (ids) =>
    sum(
      Array.from({ length: Math.ceil(ids.length / size) }, (_, at) =>
        ofBatch(ids.slice(at * size, (at + 1) * size))
      )
    )
}

/**
 * Starts to count the requests of a part, whose identifiers fill requests together with those of earlier batches. Returns the further
 * requests for the next batch.
 */
export const gathered = (
  lookup: Pick<Lookup<unknown, unknown>, "cost" | "size">,
  dialect: Dialect.Name
): ((ids: ReadonlyArray<string>) => Cost) => {
  const cost = (ids: ReadonlyArray<string>): Cost => of(lookup, dialect)(ids)
  let open: ReadonlyArray<string> = []
  return (ids) => {
    const before = cost(open)
    const all = [...open, ...ids]
    const { least, most } = cost(all)
    open = all.slice(all.length - (all.length % lookup.size))
    return {
      kinds: cost(ids).kinds,
      least: least - before.least,
      most: most === undefined || before.most === undefined ? undefined : most - before.most
    }
  }
}

/** Returns a function that is true for each value once. A run requests equal values once. */
export const newOnly = (): ((value: string) => boolean) => {
  const seen = new Set<string>()
  return (value) => !seen.has(value) && seen.add(value) !== undefined
}

/** Makes the cost of identifiers of these kinds if no response changes it. */
export const exactly = (kinds: Cost["kinds"], requests: number): Cost => ({
  kinds,
  least: requests,
  most: requests
})

/** Returns the requests of an operation for a number of values. */
export const ofOperation = (operation: Operation.Operation, count: number, dialect: Dialect.Name): number => {
  const { largest = Number.POSITIVE_INFINITY, single } = Operation.difference(operation, dialect)
  return single === undefined ? Math.max(1, Math.ceil(count / largest)) : count
}
