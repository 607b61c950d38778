// Resolves values against a service that knows some hits.
import { Identifiers, Plan, Resolve, Structures } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import { clientOf, ok, type Respond } from "./lookupService.ts"

/** Substances. The service has no detail record of the third. */
export const [a, b, c] = ["DTXSID7020182", "DTXSID3039242", "DTXSID7020637"] as const

export type Hit = Readonly<Record<string, unknown>>

export const hit = (dtxsid: string, searchValue: string, rank = 9, searchName = "Approved Name"): Hit => ({
  dtxsid,
  dtxcid: null,
  casrn: null,
  preferredName: `name of ${dtxsid}`,
  searchName,
  searchValue,
  rank
})

/** A service with these hits by word and substances by formula, and the requests that it got. */
export const knowing = (
  hits: Readonly<Record<string, ReadonlyArray<Hit>>>,
  formulas: Readonly<Record<string, ReadonlyArray<string>>> = {},
  hitsPerWord?: number
) => {
  const asked: Array<string> = []
  const respond: Respond = ({ body, method, url }) => {
    const [path = "", query = ""] = url.split("?")
    const last = decodeURIComponent(path.slice(path.lastIndexOf("/") + 1))
    asked.push(
      `${method} ${path.split("/").at(-2)} ${method === "POST" ? (body as Array<string>).length : last}`
    )
    if (path.includes("/detail/")) {
      const ids = (body as ReadonlyArray<string>).filter((id) => id !== c)
      return ok(
        JSON.stringify(ids.map((dtxsid) => ({ dtxsid, dtxcid: "DTXCID30182", preferredName: dtxsid, query })))
      )
    }
    if (path.includes("by-exact-formula")) return ok(JSON.stringify(formulas[last] ?? []))
    if (method === "POST") {
      const words = body as ReadonlyArray<string>
      if (words.includes("broken")) return { status: 400, body: '{"status":400,"detail":"no"}' }
      const miss = (searchValue: string) => ({
        searchValue,
        searchMsgs: ["0 results"],
        suggestions: ["Similar"]
      })
      return ok(JSON.stringify(words.flatMap((word) => hits[word]?.slice(0, hitsPerWord) ?? [miss(word)])))
    }
    const own = path.includes("start-with")
      ? Object.values(hits).flatMap((all) =>
          all.filter(({ searchValue }) => String(searchValue).startsWith(last))
        )
      : (hits[last] ?? [])
    return own.length > 0
      ? ok(JSON.stringify(own))
      : {
          status: 400,
          body: '{"status":400,"detail":"Searched by x: Found 0 results for x.","suggestions":["Similar"]}'
        }
  }
  return { respond, asked }
}

/** The InChIKey of every readable structure. */
export const key = "IISBACLAFKSPIT-UHFFFAOYSA-N"

/** Structures of two letters: one is readable. */
const structures: Structures.Structures = {
  inchikey: (text) =>
    text.startsWith("C") || text.startsWith("InChI")
      ? Effect.succeed(key)
      : Effect.fail({ message: `${text} is no structure` }),
  inchi: () => Effect.fail({ message: "no InChI" }),
  mass: () => Effect.fail({ message: "no masses" })
}

export const resolve = (
  respond: Respond,
  texts: ReadonlyArray<string>,
  options: Resolve.Options = {},
  dialect: "ctx" | "specification" = "specification"
): Promise<ReadonlyArray<Resolve.RowResult>> =>
  Effect.gen(function* () {
    const client = yield* clientOf(respond, { dialect })
    return yield* Identifiers.fromIterable(texts).pipe(
      Resolve.outcomes(options),
      Stream.runCollect,
      Effect.provide(client),
      Effect.provideService(Structures.Structures, structures)
    )
  }).pipe(Effect.scoped, Effect.runPromise)

/** The plan of the same run. */
export const planOf = (
  texts: ReadonlyArray<string>,
  options: Resolve.Options = {},
  dialect: "ctx" | "specification" = "specification"
): Promise<Plan.Plan> =>
  Effect.gen(function* () {
    const client = yield* clientOf(() => ok("[]"), { dialect })
    const { lookup, read } = Resolve.make(options)
    return yield* Plan.of(read(Identifiers.fromIterable(texts)), lookup).pipe(
      Effect.provide(client),
      Effect.provideService(Structures.Structures, structures)
    )
  }).pipe(Effect.scoped, Effect.runPromise)
