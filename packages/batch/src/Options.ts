/**
 * Declares and checks options. The declaration of a set (`set`) is its only list of names: it has the kind and the default of each
 * option, and the compiler compares it with the interface that documents them. A kind says which values are accepted, in words and as a
 * check, e.g. `count`, `oneOf`, `list`. Further functions check options and arguments, or make functions that do (`streamFrom`).
 *
 * A run is checked before its first call, and a client when it is made. docs/decisions/0058-options-are-declared-once.md
 * has the alternatives.
 */
import { Duration, Effect, Stream } from "effect"
import { InvalidOption } from "./InvalidOption.ts"
import { nearest, ranked } from "./internal/nearestName.ts"

/** The result of a check. Undefined: the option is valid. */
export type Check = InvalidOption | undefined

/** A kind of values, and the default of an option. `A` is the type of the values. */
export interface Kind<in out A> {
  /** The accepted values in words, e.g. `a number above 0`. */
  readonly wanted: string
  /** Whether a value may be meant as this kind. `anyOf` chooses by it. */
  readonly matches: (value: unknown) => boolean
  /** Returns the first problem of a value. `path` is the path of its option. */
  readonly problem: (value: unknown, path: string) => Check
  /** Returns the first unknown option in a value. */
  readonly unknown?: (value: unknown, path: string) => Check
  readonly isRequired?: boolean
  readonly default?: A
  /** The options in a value. */
  readonly fields?: Readonly<Record<string, AnyKind>>
  /** Never present: it makes `A` invariant. */
  readonly "~type"?: (value: A) => A
}

/** A kind of any values, e.g. of functions with any parameters. */
// biome-ignore lint/suspicious/noExplicitAny: a kind is invariant, so no other type fits every kind.
export type AnyKind = Kind<any>

/** The type of the values of a kind. */
export type TypeOf<K> = K extends Kind<infer A> ? A : never

/** A kind for each option. An option that may not be undefined is required. */
export type Fields<O> = {
  readonly [Name in keyof O]-?: undefined extends O[Name]
    ? Kind<Exclude<O[Name], undefined>>
    : Kind<O[Name]> & { readonly isRequired: true }
}

/** A declared set of options. */
export interface Set<in out O, F = Fields<O>> extends Kind<O> {
  readonly fields: F & Readonly<Record<string, AnyKind>>
}

/** The options with the defaults of their declaration. */
export type Complete<O, F> = {
  readonly [Name in keyof O]-?: Name extends keyof F
    ? F[Name] extends { readonly default: unknown }
      ? Exclude<O[Name], undefined>
      : O[Name]
    : O[Name]
}

/**
 * Makes a kind. `accept` returns whether it accepts a value, or what to give instead. The error of a secret does not show
 * the value.
 */
export const kind = <A>(
  wanted: string,
  accept: (value: unknown) => boolean | string,
  secrecy?: "secret"
): Kind<A> => ({
  wanted,
  matches: (value) => accept(value) === true,
  problem: (value, option) => {
    const accepted = accept(value)
    if (accepted === true) return undefined
    const about = { option, wanted: accepted === false ? wanted : accepted }
    return new InvalidOption(secrecy === undefined ? { ...about, value } : about)
  }
})

/** A stream of Effect. */
export const stream: Kind<Stream.Stream<unknown, unknown, unknown>> = kind(
  "a stream of Effect, e.g. Stream.fromIterable(values)",
  Stream.isStream
)

/** An effect. */
export const effect: AnyKind = kind("an effect", Effect.isEffect)

/** A whole number of at least 1. */
export const count: Kind<number> = kind(
  "a whole number of at least 1",
  (value) => Number.isSafeInteger(value) && (value as number) >= 1
)

/** As `count`, or `Infinity` for no limit. */
export const countOrInfinity: Kind<number> = kind(
  count.wanted,
  (value) => value === Number.POSITIVE_INFINITY || count.matches(value)
)

/** A number above 0. */
export const rate: Kind<number> = kind(
  "a number above 0",
  (value) => Number.isFinite(value) && (value as number) > 0
)

/** A number of 0 or more. */
export const amount: Kind<number> = kind(
  "a number of 0 or more",
  (value) => typeof value === "number" && value >= 0
)

/** True or false. */
export const flag: Kind<boolean> = kind("true or false", (value) => typeof value === "boolean")

/** A text, which may be empty. */
export const text: Kind<string> = kind("a text", (value) => typeof value === "string")

/** A function. */
export const func: AnyKind = kind("a function", (value) => typeof value === "function")

/** A time. `finite` and `infinite` include 0; `positive` is finite and above 0. */
export const time = (times: "finite" | "infinite" | "positive"): Kind<Duration.Input> =>
  kind(`${times === "positive" ? "a time above 0" : "a time of 0 or more"}, e.g. "5 seconds"`, (value) => {
    const milliseconds = millisecondsOf(value)
    return (
      milliseconds >= 0 &&
      (times === "infinite" || milliseconds < Number.POSITIVE_INFINITY) &&
      (times !== "positive" || milliseconds > 0)
    )
  })

/** Returns a time in milliseconds. NaN: the value is no time. */
export const millisecondsOf = (value: unknown): number => {
  if (typeof value === "number") return value
  try {
    return Duration.toMillis(Duration.fromInputUnsafe(value as Duration.Input))
  } catch {
    return Number.NaN
  }
}

/** An object of any fields, e.g. a record of parts. */
export const object = <A>(wanted = "an object"): Kind<A> =>
  kind(wanted, (value) => typeof value === "object" && value !== null)

/** An object with methods, e.g. a store. */
export const instance = <A>(wanted: string, ...methods: ReadonlyArray<keyof A & string>): Kind<A> =>
  kind(wanted, (value) => methods.every((method) => typeof (value as A | null)?.[method] === "function"))

/** An object with values of these kinds, and maybe with others. */
export const objectWith = (wanted: string, fields: Readonly<Record<string, AnyKind>>): AnyKind => {
  const all = Object.entries(argument("fields", declarations, fields))
  return kind(wanted, (value) => isObject(value) && all.every(([name, one]) => one.matches(value[name])))
}

/** Declarations may be made in JavaScript, so functions that read them check them. */
const declaration: AnyKind = instance("a kind of Options", "matches", "problem")

/** A list or an object of kinds. */
const declarations: AnyKind = kind(
  "kinds of Options by name",
  (value) => typeof value === "object" && value !== null && Object.values(value).every(declaration.matches)
)

/** An object with a value of a kind for each name, and at least so many names of the kind `names`. */
export const record = <A>(
  element: Kind<A>,
  wanted: string,
  least = 1,
  names?: Kind<string>
): Kind<Readonly<Record<string, A>>> => ({
  wanted,
  matches: (value) => isObject(value) && Object.values(value).every(element.matches),
  problem: (value, path) =>
    isObject(value) && Object.keys(value).length >= least
      ? first(Object.entries(value), ([name, one]) => {
          const option = pathOf(path, name)
          return names?.problem(name, option) ?? problem(element, one, option)
        })
      : new InvalidOption({ option: path, value, wanted })
})

/** A list or another iterable, but no text. */
export const iterable = (values: string): AnyKind =>
  kind(
    `a list or another iterable of ${values}`,
    (value) => typeof value === "object" && value !== null && Symbol.iterator in value
  )

/** The most names that an error lists. */
const mostListed = 30

/** One of these names. The error suggests the nearest name, or lists all, or the five nearest of many. */
export const oneOf = <const A extends string>(names: ReadonlyArray<A>): Kind<A> =>
  kind(listOf("", argument("names", list(text), names)), (value) => {
    if (names.some((name) => name === value)) return true
    if (typeof value !== "string") return false
    // A longer name may be that of a method, as the batch call of an endpoint.
    const meant = nearest(value, names) ?? names.find((name) => name !== "" && value.startsWith(name))
    return meant === undefined ? listOf(value, names) : JSON.stringify(meant)
  })

const listOf = (value: string, names: ReadonlyArray<string>): string => {
  if (names.length < 2) return names[0] ?? "no option"
  return names.length > mostListed
    ? `one of ${names.length} names, e.g. ${(value === "" ? names : ranked(value, names)).slice(0, 5).join(", ")}`
    : `one of ${names.join(", ")}`
}

/** A list of values of a kind. */
export const list = <A>(element: Kind<A>): Kind<ReadonlyArray<A>> => ({
  wanted: `a list, each ${argument("element", declaration, element).wanted}`,
  matches: (value) => Array.isArray(value) && value.every(element.matches),
  problem: (value, path) =>
    Array.isArray(value)
      ? first(value, (one, at) => element.problem(one, `${path}[${at}]`))
      : new InvalidOption({ option: path, value, wanted: `a list, each ${element.wanted}` })
})

/** A value of any of these kinds. */
export const anyOf = <const K extends ReadonlyArray<AnyKind>>(...kinds: K): Kind<TypeOf<K[number]>> => {
  const all = kinds.map((one) => argument("kinds", declaration, one).wanted)
  const wanted = `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`
  const of = (value: unknown): AnyKind | undefined => kinds.find(({ matches }) => matches(value))
  const fields = Object.assign({}, ...kinds.map((one) => one.fields))
  return {
    wanted,
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
    matches: (value) => of(value) !== undefined,
    problem: (value, option) => (of(value) ?? kind(wanted, () => false)).problem(value, option),
    unknown: (value, path) => of(value)?.unknown?.(value, path)
  }
}

/** Refuses a call without the option. */
export const required = <K extends AnyKind>(one: K): K & { readonly isRequired: true } => ({
  ...one,
  isRequired: true
})

/** Gives an option a default. */
export const withDefault = <A, const D extends A>(
  one: Kind<A>,
  value: D
): Kind<A> & { readonly default: D } => ({ ...one, default: value })

/**
 * Declares the options of an interface. Misspelt options are reported before missing ones.
 *
 * @example
 *
 * ```ts
 * import { Options } from "@chemstream/batch"
 *
 * interface Paging {
 *   readonly size?: number | undefined
 *   readonly first: string
 * }
 * const paging = Options.set<Paging>()({
 *   size: Options.withDefault(Options.count, 100),
 *   first: Options.required(Options.text)
 * })
 * Options.problem(paging, { first: "a", sise: 3 })?.message // => "The option sise is unknown. Give size."
 * Options.complete(paging, { first: "a" }) // => { size: 100, first: "a" }
 * ```
 */
export const set =
  <O extends object>() =>
  <const F extends Fields<O>>(
    fields: F & { readonly [N in Exclude<keyof F & string, keyof O>]: never },
    elsewhere?: Elsewhere
  ): Set<O, F> =>
    setOf(fields, elsewhere)

/** Returns what to give instead of an option that belongs elsewhere, e.g. to another function. Undefined: no option has this name. */
export type Elsewhere = (name: string) => string | undefined

/** Makes a set of declared options. */
const setOf = <O, F>(declared: F, elsewhere?: Elsewhere): Set<O, F> => {
  const fields = argument("fields", declarations, declared as F & Readonly<Record<string, AnyKind>>)
  const wanted = `an object with ${Object.keys(fields).join(", ") || "no options"}`
  const unknown = (value: unknown, parent: string): Check =>
    isObject(value)
      ? (unknownName(value, fields, parent, elsewhere) ?? unknownPart(value, fields, parent))
      : undefined
  return {
    wanted,
    fields,
    matches: isObject,
    unknown,
    problem: (value, parent) => {
      if (!isObject(value))
        return new InvalidOption({ option: parent || "options", value, wanted, isArgument: parent === "" })
      return unknown(value, parent) ?? first(Object.entries(fields), fieldProblem(value, parent))
    }
  }
}

/** Returns the first option that is not declared, with what to give instead. */
const unknownName = (
  value: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, AnyKind>>,
  parent: string,
  elsewhere: Elsewhere = () => undefined
): Check => {
  const name = Object.keys(value).find((one) => value[one] !== undefined && !Object.hasOwn(fields, one))
  if (name === undefined) return undefined
  const option = pathOf(parent, name)
  const paths = Object.keys(fields).map((one) => pathOf(parent, one))
  // The value may be a secret under a misspelt name.
  return new InvalidOption({
    option,
    wanted: elsewhere(name) ?? nearest(option, paths) ?? listOf(option, paths),
    isUnknown: true
  })
}

/** Returns the first unknown option within the values of options. */
const unknownPart = (
  value: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, AnyKind>>,
  parent: string
): Check => first(Object.entries(fields), ([name, one]) => one.unknown?.(value[name], pathOf(parent, name)))

/** Returns the problem of one option, also that it is missing. */
const fieldProblem =
  (value: Readonly<Record<string, unknown>>, parent: string) =>
  ([name, one]: readonly [string, AnyKind]): Check => {
    const option = pathOf(parent, name)
    if (value[name] !== undefined) return one.problem(value[name], option)
    return one.isRequired === true
      ? new InvalidOption({ option, value: undefined, wanted: one.wanted })
      : undefined
  }

/** Declares some options of a set, none of them required. */
export const partial = <O, F>(declared: Set<O, F>): Set<{ readonly [N in keyof O]?: O[N] | undefined }, F> =>
  setOf(
    Object.fromEntries(
      Object.entries(fieldsOf(declared)).map(([name, one]) => [name, { ...one, isRequired: false }])
    ) as F
  )

/** Returns the options of a set, out of an object that may have others, too. */
export const pick = <O, F>(declared: Set<O, F>, options: object): O =>
  Object.fromEntries(
    Object.entries(argument("options", anObject, options)).filter(([name]) =>
      Object.hasOwn(fieldsOf(declared), name)
    )
  ) as O

const anObject = object()

const fieldsOf = <O, F>(declared: Set<O, F>): Set<O, F>["fields"] =>
  argument("declared", declarations, declared?.fields)

/** Returns the first problem of options. `path` is the path of the option that contains them. */
export const problem = <O>(declared: Kind<O>, options: unknown, path = ""): Check =>
  argument("declared", declaration, declared).problem(options, path)

/** Fails with the first problem of options. */
export const check = <O>(
  declared: Kind<O>,
  options: unknown,
  path?: string
): Effect.Effect<void, InvalidOption> =>
  Effect.suspend(() => {
    const found = problem(declared, options, path)
    return found === undefined ? Effect.void : Effect.fail(found)
  })

/** Returns options. Throws their first problem. */
export const refuse = <A>(declared: AnyKind, options: A): A => {
  const found = problem(declared, options)
  if (found !== undefined) throw found
  return options
}

/** The kinds of arguments by their names, in their order. The one after a required argument may be absent. */
export type Arguments = Readonly<Record<string, AnyKind>>

/** Returns the first problem of arguments. */
export const argumentProblem = (declared: Arguments, given: ReadonlyArray<unknown>): Check =>
  first(Object.entries(argument("declared", declarations, declared)), ([name, one], at) => {
    const value = given?.[at]
    if (value === undefined && one.isRequired !== true) return undefined
    // An argument that is a set of options is not named: its options are.
    const found = one.problem(value, one.fields !== undefined && isObject(value) ? "" : name)
    return found?.option === name ? new InvalidOption({ ...found, isArgument: true }) : found
  })

/** Throws the first problem of arguments, e.g. `refuseArguments({ row: required(rowKind) }, [row])`. */
export const refuseArguments = (declared: Arguments, given: ReadonlyArray<unknown>): void => {
  const found = argumentProblem(declared, given)
  if (found !== undefined) throw found
}

/** Returns an argument of a kind. Throws its problem. */
export const argument = <A>(name: string, one: AnyKind, value: A): A => {
  if (one?.problem === undefined || one.problem(value, name) !== undefined)
    refuseArguments({ [name]: required(one) }, [value])
  return value
}

// biome-ignore lint/suspicious/noExplicitAny: as `dual` of Effect.
type AnyFunction = (...given: ReadonlyArray<any>) => any

/**
 * Makes a function on a stream that is called with the stream first, or in a `pipe`. Its arguments are checked when it runs: the result
 * of `fail` has the first problem.
 */
const onStream =
  (suspend: (run: () => never) => unknown, fail: (error: InvalidOption) => unknown) =>
  (name: string, declared: Arguments) =>
  <DataLast extends AnyFunction, DataFirst extends AnyFunction>(body: DataFirst): DataFirst & DataLast => {
    const all = { [name]: required(stream), ...declared }
    const run = (...given: ReadonlyArray<unknown>) =>
      suspend(() => {
        const found = argumentProblem(all, given)
        return (found === undefined ? body(...given) : fail(found)) as never
      })
    // Called with the stream first, or with all arguments. If not, the stream follows in a `pipe`.
    return ((...given: ReadonlyArray<unknown>) =>
      Stream.isStream(given[0]) || given.length > Object.keys(declared).length
        ? run(...given)
        : (self: unknown) => run(self, ...given)) as never
  }

/** Makes a function on a stream (`onStream`) that returns a stream. */
export const streamFrom: ReturnType<typeof onStream> = /* @__PURE__ */ onStream(Stream.suspend, Stream.fail)

/** Makes a function on a stream (`onStream`) that returns an effect. */
export const effectFrom: ReturnType<typeof onStream> = /* @__PURE__ */ onStream(Effect.suspend, Effect.fail)

/** Returns a stream that checks arguments before it starts a run. Fails with the first problem. */
export const start = <A, E, R>(
  declared: Arguments,
  given: ReadonlyArray<unknown>,
  run: () => Stream.Stream<A, E, R>
): Stream.Stream<A, E | InvalidOption, R> =>
  Stream.suspend((): Stream.Stream<A, E | InvalidOption, R> => {
    const found = argumentProblem(declared, given)
    return found === undefined ? argument("run", func, run)() : Stream.fail(found)
  })

/** Returns options with the defaults of their declaration. An option that is undefined counts as absent. */
export const complete = <O extends object, F>(declared: Set<O, F>, options: O): Complete<O, F> =>
  Object.fromEntries(
    Object.entries({ ...fieldsOf(declared), ...argument("options", anObject, options) }).map(([name]) => [
      name,
      options[name as keyof O] ?? declared.fields[name]?.default
    ])
  ) as Complete<O, F>

const pathOf = (parent: string, name: string): string => (parent === "" ? name : `${parent}.${name}`)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the first problem of some values. */
const first = <A>(values: ReadonlyArray<A>, problemOf: (value: A, at: number) => Check): Check => {
  for (const [at, value] of values.entries()) {
    const found = problemOf(value, at)
    if (found !== undefined) return found
  }
  return undefined
}
