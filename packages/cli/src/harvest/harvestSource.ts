/**
 * The source of a harvest, from the flags of `harvest start`: identifiers, all chemicals, or the hits of a search.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import type { ChemClient, ChemError } from "@chemstream/client"
import { Source } from "@chemstream/workflow"
import { Effect, type Scope, Stream } from "effect"
import { type CommandFailure, callFailure, runFailure, usageFailure } from "../CommandFailure.ts"
import * as clientFlags from "../flags/clientFlags.ts"
import type { LineTally } from "../input/lineTally.ts"
import * as openInput from "../input/openInput.ts"
import type * as RepairCount from "../run/repairCount.ts"
import { withoutPassword } from "../terminal/withoutPassword.ts"
import * as fetchFlags from "./fetchFlags.ts"

/** A source, with the counts of its lines without a value, if it is a text. */
export interface HarvestSource {
  readonly source: Source.Source<CommandFailure>
  readonly tally?: LineTally | undefined
}

/** Returns the source of the flags. `repairs` counts its repaired identifiers. */
export const of = (
  flags: openInput.Given & {
    readonly fetch: Parameters<typeof fetchFlags.fieldsOf>[0]
    readonly all: boolean
    readonly search: "contain" | "start-with" | "equal" | undefined
    readonly client: clientFlags.Settings
  },
  repairs: RepairCount.Repairs
): Effect.Effect<HarvestSource, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const file = flags.input
    if (flags.all) {
      if (flags.values.length > 0 || file !== undefined || flags.search !== undefined)
        return yield* usageFailure("give --all or identifiers, not both")
      return { source: withClient(Source.all(), flags.client) }
    }
    if (flags.search !== undefined) {
      if (flags.values.length === 0 || file !== undefined)
        return yield* usageFailure("--search needs words as arguments, and no --input")
      const how = flags.search === "start-with" ? "startWith" : flags.search
      return { source: withClient(Source.search(how, flags.values), flags.client) }
    }
    const key = flags.fetch[0]?.key
    // A repaired identifier has records, but equals no text of the input: `start` says how many there are.
    const watched = (source: Source.Source<CommandFailure>) =>
      key === undefined ? source : { ...source, identifiers: repairs.watch(source.identifiers, key) }
    const opened = yield* openInput.ofFlags(flags, fetchFlags.fieldsOf(flags.fetch))
    if (flags.values.length > 0) return { source: watched(Source.list(flags.values)) }
    const source = watched({
      description: file === undefined ? "standard input" : withoutPassword(file),
      // Standard input counts as stable, too: the same identifiers continue the harvest, others are refused.
      isStable: true,
      identifiers: opened.identifiers
    })
    return { source, tally: opened.tally }
  })

/** Provides the client of the flags to a source. */
const withClient = <E extends ChemError.ChemError | InvalidIdentifier.InvalidIdentifier | Source.SourceError>(
  source: Source.Source<E, ChemClient.ChemClient>,
  client: clientFlags.Settings
): Source.Source<CommandFailure> => ({
  description: source.description,
  isStable: source.isStable,
  isListing: source.isListing,
  identifiers: source.identifiers.pipe(
    Stream.mapError(
      (error: ChemError.ChemError | InvalidIdentifier.InvalidIdentifier | Source.SourceError) =>
        error._tag === "SourceError" || error._tag === "InvalidIdentifier"
          ? runFailure(error.message)
          : callFailure(error)
    ),
    Stream.provide(clientFlags.layer(client))
  )
})
