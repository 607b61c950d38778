/** Calls every function that a package exports with wrong arguments. Not a test itself. */
import { readFileSync } from "node:fs"
import { inspect } from "node:util"
import { RawRecord } from "@chemstream/ndjson"
import { Effect, Layer, Stream } from "effect"

type Call = (...args: ReadonlyArray<unknown>) => unknown

/** What the effects of a package need. */
type Services = Layer.Layer<never, unknown>

/** The names of the entries of a package, as its manifest exports them. */
const entriesOf = (name: string): ReadonlyArray<string> => {
  const manifest = new URL(`../../${name}/package.json`, import.meta.url)
  const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly exports: object }
  return Object.keys(exports)
    .filter((path) => path !== "./package.json")
    .map((path) => `@chemstream/${name}${path.slice(1)}`)
}

const isClass = (value: object): boolean => /^class\b/.test(Function.prototype.toString.call(value))

/** The functions of a module and of its namespaces, by their names. */
const functionsOf = (module: object): ReadonlyArray<readonly [name: string, call: Call]> =>
  Object.entries(module).flatMap(([name, value]) => {
    if (typeof value === "function") return isClass(value) ? [] : [[name, value as Call] as const]
    if (typeof value !== "object" || value === null) return []
    return Object.entries(value).flatMap(([member, call]) =>
      typeof call === "function" && !isClass(call) ? [[`${name}.${member}`, call as Call] as const] : []
    )
  })

/** Makes wrong arguments. They are new for each function, because a function may change them. */
const wrongArguments = (): ReadonlyArray<ReadonlyArray<unknown>> => [
  ...[[], [undefined], [null], [5], ["wrong"], [{}], [[]], [{ wrong: 1 }], [[undefined]], [() => undefined]],
  ...[
    [undefined, undefined],
    [5, 5],
    ["wrong", "wrong"],
    [{}, {}],
    [[undefined], [undefined]],
    [[{}], [{}]],
    [["wrong"], [undefined], "wrong"],
    [Stream.make("wrong"), undefined],
    [RawRecord.fromText("{}"), undefined],
    [new Uint8Array(3), undefined]
  ]
]

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value

/** Runs what a function returned: an effect, a stream, a layer, a promise, the first value of an iterable, or a function on streams. */
const settle = async (value: unknown, services: Services): Promise<void> => {
  const settled = await value
  const effect = Stream.isStream(settled)
    ? Stream.runDrain(Stream.take(settled as Stream.Stream<unknown, unknown>, 3))
    : Layer.isLayer(settled)
      ? Layer.build(settled as Layer.Layer<unknown>)
      : settled
  if (Effect.isEffect(effect)) {
    const run = Effect.timeoutOption(effect as Effect.Effect<unknown, unknown>, "300 millis")
    await Effect.runPromise(Effect.scoped(Effect.provide(run, services)))
  } else if (isIterable(settled)) for await (const _ of settled) return
}

/** Returns the error of a call without a tag. */
const untagged = async (call: () => unknown, services: Services): Promise<unknown> => {
  try {
    const value = call()
    await settle(value, services)
    if (typeof value === "function" && value.length < 2)
      await settle((value as Call)(Stream.make("wrong")), services)
  } catch (error) {
    if (typeof (error as { readonly _tag?: unknown } | undefined)?._tag !== "string")
      return error ?? "nothing"
  }
  return undefined
}

/** What was found: the number of functions, and the calls whose errors have no tag. */
export interface Found {
  readonly count: number
  readonly untagged: ReadonlyArray<string>
}

/** Calls the functions of a package, but those that are exempt by their name or that of their module. */
export const walk = async (
  name: string,
  load: (entry: string) => Promise<object>,
  services: Services,
  exempt: ReadonlySet<string> = new Set()
): Promise<Found> => {
  const found = new Map<string, string>()
  let count = 0
  for (const entry of entriesOf(name)) {
    for (const [path, call] of functionsOf(await load(entry))) {
      count++
      if (exempt.has(path.split(".")[0] ?? "") || exempt.has(path)) continue
      for (const args of wrongArguments()) {
        const error = await untagged(() => call(...args), services)
        if (error !== undefined)
          found.set(path, `${path}(${args.map((one) => inspect(one)).join(", ")}): ${error}`)
      }
    }
  }
  return { count, untagged: [...found.values()] }
}
