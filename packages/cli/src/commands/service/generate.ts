/**
 * `chemstream generate`: a deterministic synthetic data set of any size, into a database or into files.
 */
import { Import } from "@chemstream/service"
import { Synthetic } from "@chemstream/synthetic"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { runFailure, usageFailure } from "../../CommandFailure.ts"
import { onSwitchFlag, optionalText, switchFlag } from "../../flags/flagTypes.ts"
import * as Generation from "../../generate/generation.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as FileCheck from "../../output/fileCheck.ts"
import * as generateProgress from "../../terminal/generateProgress.ts"
import * as Messages from "../../terminal/messages.ts"
import { count as grouped } from "../../terminal/quantities.ts"

export const generate = Command.make(
  "generate",
  {
    count: Flag.Int("count").pipe(
      Flag.withAlias("n"),
      Flag.withDescription("Number of substances; the full public set has about 1200000")
    ),
    seed: Flag.Int("seed").pipe(
      Flag.withDescription("Seed of the data set: the same count and seed make the same bytes [default: 1]"),
      Flag.withDefault(1)
    ),
    database: optionalText(
      "database",
      "FILE",
      "Database to generate into; created if it does not exist",
      "d"
    ),
    intoExisting: switchFlag(
      "into-existing",
      "Add to the records of an existing --database, and replace those with the same identifiers [default: refuse]"
    ),
    output: optionalText("output", "DIR", "Folder to write NDJSON files into, instead of a database", "o"),
    gzip: switchFlag("gzip", "Compress the files of --output"),
    assays: Flag.Finite("assays").pipe(
      Flag.withMetavar("SHARE"),
      Flag.withDescription(
        `Share of the substances with bioactivity data, from 0 to 1 [default: ${Synthetic.defaultTested}]`
      ),
      Flag.withDefault(Synthetic.defaultTested)
    ),
    families: Flag.Finite("families").pipe(
      Flag.withMetavar("SHARE"),
      Flag.withDescription(
        "Share of the substances with properties, exposure, toxicity values and lists, from 0 to 1; about 60 kB a substance [default: 0]"
      ),
      Flag.withDefault(0)
    ),
    fingerprints: onSwitchFlag(
      "fingerprints",
      "Leave descriptorStringTsv null; it takes up two thirds of a record [default: fill it]"
    ),
    quiet: switchFlag("quiet", "No progress and no summary").pipe(Flag.withAlias("q"))
  },
  Effect.fn(
    function* ({ assays, count, database, families, fingerprints, gzip, intoExisting, output, quiet, seed }) {
      const target = yield* targetOf(database, output)
      if (target.kind === "database" && gzip)
        return yield* usageFailure("--gzip is for the files of --output")
      if (target.kind === "files" && intoExisting)
        return yield* usageFailure("--into-existing is for --database")
      yield* FileCheck.check({ outputs: [filesOf(target)] })
      const counts = yield* Effect.scoped(
        Effect.gen(function* () {
          const onProgress = process.stderr.isTTY && !quiet ? yield* generateProgress.bar : undefined
          const options = { count, seed, tested: assays, families, fingerprints, onProgress }
          return yield* target.kind === "database"
            ? Generation.intoDatabase({ ...options, database: target.name, intoExisting })
            : Generation.intoFiles({ ...options, folder: target.name, gzip })
        })
      )
      if (quiet) return
      const { aed, bioactivity, details, synonyms } = counts
      const others =
        families > 0 ? `, and ${grouped(counts.families)} of properties, exposure and hazard` : ""
      Messages.say(
        `generated ${grouped(details)} substances into ${target.name}: ${grouped(synonyms)} synonym, ` +
          `${grouped(bioactivity)} bioactivity and ${grouped(aed)} AED records${others}\n`
      )
    },
    Effect.catchTags({
      InvalidOption: (error) =>
        usageFailure(`${optionNames[error.option as keyof typeof optionNames]} must be ${error.wanted}`),
      StoreError: (error) => runFailure(error.message)
    })
  )
).pipe(
  withHelp("Generate a synthetic data set: substances that do not exist, with all their records", {
    "chemstream generate --count 10000 --seed 1 --database synthetic.sqlite":
      "A database to serve; the first 1000 substances are those of --count 1000",
    "chemstream generate --count 1200000 --seed 1 --output synthetic --gzip":
      "NDJSON files of the size of the full public set, for chemstream import",
    "chemstream generate --count 1000 --families 1 --database synthetic.sqlite":
      "Substances with records of hazard, exposure, properties, lists and assays"
  })
)

/** Returns the files that the target writes, for the check that none is overwritten twice. */
const filesOf = (target: { readonly kind: "database" | "files"; readonly name: string }): FileCheck.Use =>
  target.kind === "database"
    ? FileCheck.database("--database", target.name)
    : {
        option: "--output",
        file: target.name,
        endings: [...Import.kinds, ...Synthetic.rowNames].flatMap((kind) => [
          `/${kind}.ndjson`,
          `/${kind}.ndjson.gz`
        ])
      }

/** The options of the command, by the names that the data set has for them in its errors. */
const optionNames = { count: "--count", seed: "--seed", tested: "--assays", families: "--families" } as const

const targetOf = Effect.fnUntraced(function* (database: string | undefined, output: string | undefined) {
  if (database !== undefined && output === undefined) return { kind: "database", name: database } as const
  if (output !== undefined && database === undefined) return { kind: "files", name: output } as const
  return yield* usageFailure("give either --database FILE or --output DIR")
})
