/**
 * Handles the tools of `chemstream mcp` with the runs of `@chemstream/stream`, over one client.
 */
import { Adduct } from "@chemstream/api"
import { ChemClient } from "@chemstream/client"
import { Properties } from "@chemstream/figures"
import { RawRecord } from "@chemstream/ndjson"
import { Identifiers, Ledger, Resolve, Search, Structures, Suspects } from "@chemstream/stream"
import { Database, Harvest } from "@chemstream/workflow"
import { Context, Effect, Layer, Stream } from "effect"
import { type McpSchema, McpServer, Toolkit } from "effect/ai"
import { SqlClient } from "effect/sql"
import type * as EndpointTools from "./endpointTools.ts"
import { toolkit } from "./specialTools.ts"
import { availability, callError, lookUp, readCatalogue, withProgress } from "./toolLookups.ts"
import { type Answer, type CallOutcomes, type Entry, Results, ToolError, toolFailure } from "./toolResults.ts"

/** The database of harvests, if the command was given one. */
export class Harvests extends Context.Service<Harvests, SqlClient.SqlClient | undefined>()(
  "chemstream/mcp/Harvests"
) {}

/** The parameters of a tool over a list. */
interface ListParameters {
  readonly identifiers?: ReadonlyArray<string> | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

type Notifications = Parameters<typeof withProgress>[2]

type CallContext = ChemClient.ChemClient | McpSchema.McpRequestContext

/** The handlers of the tools. */
export const layer = toolkit.toLayer(
  Effect.gen(function* () {
    const results = yield* Results
    const { notifications } = yield* McpServer.McpServer
    const client = yield* ChemClient.ChemClient
    const harvests = yield* Harvests

    const answerCall = callAnswerer(results, client)

    return toolkit.of({
      resolve: ({ kind, maxCandidates, ...list }) =>
        answerCall("resolve", list, (identifiers) =>
          resolveAll(identifiers, { as: kind, maxCandidates }, notifications)
        ),
      msready_mass: ({ adducts, dalton, ppm, ...list }) =>
        answerCall("msready_mass", list, (identifiers) =>
          screenAll(
            identifiers,
            adducts ?? [],
            dalton === undefined ? { ppm: ppm ?? 5 } : { da: dalton },
            notifications
          )
        ),
      search: ({ match = "equal", ...list }) =>
        answerCall("search", list, (identifiers) => lookUp(identifiers, searches[match](), notifications)),
      harvest_status: ({ name }) => statusOf(name, harvests)
    })
  })
)

/** The tools of endpoints, with their handlers. */
export const layerRows = (tools: ReadonlyArray<EndpointTools.EndpointTool>) => {
  const rowToolkit = Toolkit.make(...tools.map(({ tool }) => tool))
  const handlers = Effect.gen(function* () {
    const answerCall = callAnswerer(yield* Results, yield* ChemClient.ChemClient)
    const { notifications } = yield* McpServer.McpServer
    return Object.fromEntries(
      tools.map(({ name, sourceOf }) => [
        name,
        ({ by, part, projection, view, ...list }: EndpointTools.Given & ListParameters) => {
          const source = sourceOf({ by, part, projection, view })
          if (typeof source === "string") return Effect.fail(new ToolError({ message: source }))
          return "lookup" in source
            ? answerCall(name, list, (identifiers) => lookUp(identifiers, source.lookup, notifications))
            : answerCall(name, list, (identifiers) => readCatalogue(source, identifiers), [])
        }
      ])
    )
  })
  return McpServer.toolkit(rowToolkit).pipe(Layer.provide(rowToolkit.toLayer(handlers as never)))
}

/** Returns the next page of an earlier result, or the result of a new run. `otherwise` are the identifiers of a call without any. */
const callAnswerer =
  (results: Results["Service"], client: ChemClient.ChemClient["Service"]) =>
  (
    tool: string,
    { cursor, limit, ...list }: ListParameters,
    run: (identifiers: ReadonlyArray<string>) => Effect.Effect<CallOutcomes, ToolError, CallContext>,
    otherwise?: ReadonlyArray<string>
  ): Effect.Effect<Answer, ToolError, McpSchema.McpRequestContext> => {
    const { identifiers = otherwise } = list
    const answer: Effect.Effect<Answer, ToolError, CallContext> =
      cursor !== undefined
        ? results.next(tool, cursor, limit)
        : identifiers === undefined
          ? toolFailure(`${tool} needs identifiers, or the cursor of an answer.`)
          : Effect.flatMap(run(identifiers), (outcomes) => results.first(tool, outcomes, limit))
    return answer.pipe(
      Effect.provideService(ChemClient.ChemClient, client),
      Effect.provideService(Structures.Structures, Properties.structures)
    )
  }

/** Resolves identifiers of any kind. */
const resolveAll = (
  identifiers: ReadonlyArray<string>,
  options: Pick<Resolve.Options, "as" | "maxCandidates">,
  notifications: Notifications
) => {
  const ledger = Ledger.make()
  return Identifiers.fromIterable(identifiers).pipe(
    Resolve.outcomes({ ...options, ledger, availability }),
    collectEntries(resolutionEntry, ledger, identifiers.length, notifications)
  )
}

/** Screens masses for suspects. */
const screenAll = (
  features: ReadonlyArray<string>,
  adducts: ReadonlyArray<string>,
  tolerance: Suspects.Options["tolerance"],
  notifications: Notifications
) =>
  Effect.gen(function* () {
    const ions = yield* Effect.forEach(adducts, readAdduct)
    const ledger = Ledger.make()
    return yield* Identifiers.fromIterable(features.map(featureOf)).pipe(
      Suspects.outcomes({
        ledger,
        availability,
        tolerance,
        ...(ions.length === 0 ? {} : { adducts: ions })
      }),
      collectEntries(suspectEntry, ledger, features.length, notifications)
    )
  })

/** Collects the rows of a run as entries, and reports progress. */
const collectEntries =
  <Row>(entryOf: (row: Row) => Entry, ledger: Ledger.Ledger, total: number, notifications: Notifications) =>
  <R>(rows: Stream.Stream<Row, Parameters<typeof callError>[0], R>) =>
    Stream.runCollect(rows).pipe(
      Effect.mapError(callError),
      Effect.map((all) => outcomesOf(all.map(entryOf))),
      withProgress(ledger, total, notifications)
    )

/** Returns the status of one harvest, or of all. */
const statusOf = (name: string | undefined, harvests: SqlClient.SqlClient | undefined) =>
  harvests === undefined
    ? toolFailure("The server has no database of harvests. Start it with chemstream mcp --harvests FILE.")
    : Effect.gen(function* () {
        const names = name === undefined ? (yield* Harvest.list).map((one) => one.name) : [name]
        const statuses = yield* Effect.forEach(names, Harvest.status)
        return { harvests: statuses.map(harvestStatus) }
      }).pipe(
        Effect.provideService(SqlClient.SqlClient, harvests),
        Effect.mapError((error) =>
          toolFailure(error._tag === "SqlError" ? Database.explain(error) : error.message)
        )
      )

const searches = { equal: Search.equal, "starts-with": Search.startWith, contains: Search.contain }

/** Returns the feature of an m/z, which its adduct may follow. */
const featureOf = (text: string): string => {
  const [mz = "", ...adduct] = text.trim().split(/\s+/)
  return Suspects.feature(mz, adduct.join(" "))
}

const readAdduct = (text: string): Effect.Effect<Adduct.Adduct, ToolError> =>
  Effect.mapError(Effect.fromResult(Adduct.parse(text)), ({ message }) => toolFailure(message))

const outcomesOf = (entries: ReadonlyArray<Entry>): CallOutcomes => ({ entries, duplicates: 0, surplus: 0 })

const resolutionEntry = ({ candidates, input, kind, more, note, status }: Resolve.RowResult): Entry => {
  if (status === "missing" || status === "invalid" || status === "failed") {
    return { identifier: input, status, reason: note ?? undefined, records: [] }
  }
  const record = {
    input,
    kind,
    status,
    note,
    candidates: candidates.map(({ casrn, dtxcid, dtxsid, foundBy, preferredName, rank }) => ({
      dtxsid,
      dtxcid,
      casrn,
      preferredName,
      foundBy,
      rank
    })),
    more
  }
  return { identifier: input, status: "found", records: [record] }
}

const suspectEntry = ({ input, note, status, suspects }: Suspects.FeatureResult): Entry => ({
  identifier: input,
  status,
  reason: note ?? undefined,
  records: suspects.map(({ adduct, dtxsid, error, matchedBy, msReadyMass, neutralMass, record }) => ({
    input,
    dtxsid,
    preferredName: textOf(record, "preferredName"),
    casrn: textOf(record, "casrn"),
    molFormula: textOf(record, "molFormula"),
    adduct,
    neutralMass,
    msReadyMass,
    matchedBy,
    errorPpm: error?.ppm ?? null,
    errorDa: error?.da ?? null,
    sourcesCount: numberOf(record, "sourcesCount"),
    pubmedCount: numberOf(record, "pubmedCount")
  }))
})

const textOf = (record: RawRecord.RawRecord, field: string): string | null => {
  const value = RawRecord.value(record, field)
  return typeof value === "string" ? value : null
}

const numberOf = (record: RawRecord.RawRecord, field: string): number | null => {
  const value = RawRecord.value(record, field)
  return typeof value === "number" ? value : null
}

const harvestStatus = (status: Harvest.Status) => ({
  name: status.name,
  state: status.state,
  ...(status.reason === undefined ? {} : { reason: status.reason }),
  source: status.source,
  identifiers: status.identifiers,
  chunks: status.chunks,
  chunksDone: status.chunksDone,
  workers: status.working,
  identifiersPerSecond: status.rate,
  ...(status.eta === undefined ? {} : { secondsLeft: status.eta }),
  outcomes: { ...status.tally }
})
