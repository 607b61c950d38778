import { chmodSync } from "node:fs"
import { join } from "node:path"
import { ApiKeys } from "@chemstream/service"
import { ConfigProvider, Effect, Logger, Option, Redacted } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fileOf, folder, run } from "./testService.ts"

const environment = (variables: Record<string, string>) =>
  Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))

const values = (keys: ReadonlyArray<Redacted.Redacted<string>>): ReadonlyArray<string> =>
  keys.map((key) => Redacted.value(key))

describe("keys", () => {
  it("come from the environment, separated by commas or lines, without blanks and comments", () =>
    run(
      Effect.gen(function* () {
        for (const text of [
          " one, two,,three ",
          "one\r\n# of June, revoked\n two\n\nthree\n",
          "one,two\nthree"
        ]) {
          const found = yield* ApiKeys.resolve().pipe(environment({ CHEMSTREAM_API_KEYS: text }))
          expect(found.source).toBe("environment")
          expect(values(found.keys)).toEqual(["one", "two", "three"])
        }
      })
    ))

  it("come from a named file rather than the environment, one per line, without comments", () =>
    run(
      Effect.gen(function* () {
        const file = fileOf(yield* folder, "keys", "\uFEFFone\r\n\n# two\n  # three\n four, five \n")
        const found = yield* ApiKeys.resolve({ file }).pipe(environment({ CHEMSTREAM_API_KEYS: "other" }))
        expect(found.source).toBe("file")
        expect(values(found.keys)).toEqual(["one", "four, five"])
      })
    ))

  it("are generated if none are set, a new one each time, safe in a header", () =>
    run(
      Effect.gen(function* () {
        const one = yield* ApiKeys.resolve().pipe(environment({}))
        const two = yield* ApiKeys.resolve().pipe(environment({}))
        expect([one.source, one.keys.length]).toEqual(["generated", 1])
        expect(values(one.keys)[0]).toMatch(/^[\w-]{43}$/)
        expect(values(one.keys)).not.toEqual(values(two.keys))
        expect(Option.isNone(yield* ApiKeys.fromEnvironment.pipe(environment({})))).toBe(true)
      })
    ))

  it("of one character are refused from every source, in a message without the key", () =>
    run(
      Effect.gen(function* () {
        const file = fileOf(yield* folder, "keys", "one\nx\n")
        const refused = [
          yield* Effect.flip(ApiKeys.fromFile(file)),
          yield* Effect.flip(ApiKeys.follow(file)),
          yield* Effect.flip(ApiKeys.resolve().pipe(environment({ CHEMSTREAM_API_KEYS: "one,x" })))
        ]
        for (const { message } of refused) expect(message).toMatch(/^API key number 2 is a single character/)
      })
    ))

  it.each([
    ["is warned about when others can read it", 0o644, 1],
    ["is taken in silence when only its owner can read it", 0o600, 0]
  ])("in a file: %s", (_, mode, warnings) =>
    run(
      Effect.gen(function* () {
        const file = fileOf(yield* folder, "keys", "one\n")
        chmodSync(file, mode)
        const messages: Array<string> = []
        const logger = Logger.make(({ message }) => messages.push(String(message)))
        const logged = Effect.provide(Logger.layer([logger]))
        yield* ApiKeys.fromFile(file).pipe(logged)
        yield* ApiKeys.follow(file).pipe(logged)
        expect(messages.filter((message) => message.includes(`chmod 600 ${file}`))).toHaveLength(2 * warnings)
      })
    )
  )

  it("are not generated if a named source has none: that is an error", () =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const variable = yield* Effect.flip(
          ApiKeys.resolve().pipe(environment({ CHEMSTREAM_API_KEYS: " , " }))
        )
        expect(variable.message).toContain("CHEMSTREAM_API_KEYS is set but has no key")
        const empty = yield* Effect.flip(ApiKeys.resolve({ file: fileOf(directory, "empty", "# none\n\n") }))
        expect(empty.message).toContain("has no key")
        const absent = yield* Effect.flip(ApiKeys.resolve({ file: join(directory, "absent") }))
        expect(absent).toMatchObject({ _tag: "ApiKeysError", source: "file" })
        expect(absent.message).toContain("cannot be read")
      })
    ))

  it("that HTTP headers do not allow are refused, in a message without the key", () =>
    run(
      Effect.gen(function* () {
        for (const bad of ["good,\u043a\u043b\u044e\u0447", "good,two\twords"]) {
          const error = yield* Effect.flip(ApiKeys.resolve().pipe(environment({ CHEMSTREAM_API_KEYS: bad })))
          expect(error).toMatchObject({ _tag: "ApiKeysError", source: "environment" })
          expect(error.message).toContain("API key number 2")
          expect(error.message).not.toContain(bad.slice(5))
        }
      })
    ))

  it("are redacted when printed", () =>
    run(
      Effect.gen(function* () {
        const found = yield* ApiKeys.resolve().pipe(environment({ CHEMSTREAM_API_KEYS: "s3cret" }))
        expect(`${JSON.stringify(found)} ${String(found.keys)}`).not.toContain("s3cret")
      })
    ))
})

describe("the names of keys", () => {
  it("are given to known keys and no others", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 5 }), fc.string(), (known, candidate) => {
        const nameOf = ApiKeys.identify(known.map((key) => Redacted.make(key)))
        expect(nameOf(candidate) !== undefined).toBe(known.includes(candidate))
        expect(new Set(known.map(nameOf)).size).toBe(new Set(known).size)
        expect(known.map(nameOf)).not.toContain(undefined)
      })
    )
  })

  it("are given to no key without keys", () => {
    expect(ApiKeys.identify([])("")).toBeUndefined()
  })
})
