/**
 * `chemstream demo`: runs a lookup offline. It starts the service with the bundled substances on a free port, looks
 * up the bundled identifiers in batches, writes NDJSON to a folder, and suggests the next commands.
 */
import { existsSync } from "node:fs"
import { mkdir, open } from "node:fs/promises"
import { join } from "node:path"
import { RawRecord } from "@chemstream/ndjson"
import { ApiKeys, Bundled, Service } from "@chemstream/service"
import { Details } from "@chemstream/stream"
import { Effect, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { reasonOf, runFailure } from "../../CommandFailure.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import { defaultStopTimeout } from "../../flags/runFlags.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as openInput from "../../input/openInput.ts"
import * as FileCheck from "../../output/fileCheck.ts"
import * as JoinedFields from "../../output/joinedFields.ts"
import * as lookupRun from "../../run/lookupRun.ts"
import * as Messages from "../../terminal/messages.ts"

/** Small, so that a few hundred identifiers make several batches. */
const batchSize = 25

const samples = 3

const sampleFields = ["dtxsid", "preferredName", "casrn", "molFormula", "monoisotopicMass", "inchikey"]

export const demo = Command.make(
  "demo",
  {
    outDir: Flag.String("out-dir").pipe(
      Flag.withMetavar("FOLDER"),
      Flag.withDescription("Folder of the results [default: out]"),
      Flag.withDefault("out")
    )
  },
  Effect.fn(
    function* ({ outDir }) {
      const output = join(outDir, "details.ndjson")
      const errors = join(outDir, "problems.ndjson")
      yield* FileCheck.check({
        inputs: [{ option: "the bundled identifiers", file: Bundled.identifiers }],
        outputs: [{ option: "--out-dir", file: outDir, endings: ["/details.ndjson", "/problems.ndjson"] }]
      })
      yield* attempt(outDir, () => mkdir(outDir, { recursive: true }))
      const key = yield* ApiKeys.generate
      const service = yield* Service.make({ database: Bundled.database, keys: [key] })
      Messages.say(`the service runs at ${service.url}, with its bundled substances\n`)

      const identifiers = yield* openInput.open([], Bundled.identifiers, { given: undefined, own: [] })
      yield* Effect.provide(
        lookupRun.run(
          identifiers,
          { lookup: Details.byDtxsid() },
          {
            batchSize,
            concurrency: 4,
            ordered: true,
            dedupe: true,
            strictIds: true,
            key: undefined,
            onFailure: "isolate",
            wait: 0,
            ...JoinedFields.none,
            validate: "warn",
            failOn: [],
            output,
            errors,
            jsonSummary: undefined,
            checkpoint: undefined,
            // The service has another port in each run.
            resume: false,
            format: undefined,
            fields: undefined,
            anyFields: false,
            quiet: false,
            stopTimeout: defaultStopTimeout,
            progress: process.stderr.isTTY ? "bar" : "plain"
          }
        ),
        clientFlags.make({ baseUrl: service.url, apiKey: key })
      )
      const lines = yield* attempt(output, () => firstLines(output, samples))
      Messages.say(`\n${lines.map(sample).join("\n")}\n\n${nextSteps(output, errors)}`)
    },
    Effect.scoped,
    Effect.catchTag(["StoreError", "InvalidOption", "ListenError"], (error) => runFailure(error.message))
  )
).pipe(
  withHelp("Look up a few hundred identifiers in the bundled service, offline", {
    "chemstream demo": "Writes to the folder out/"
  })
)

const attempt = <A>(file: string, action: () => Promise<A>) =>
  Effect.tryPromise({
    try: action,
    catch: (cause) => runFailure(`${file}: ${reasonOf(cause)}`)
  })

const firstLines = async (file: string, most: number): Promise<ReadonlyArray<string>> => {
  const handle = await open(file)
  const lines: Array<string> = []
  for await (const line of handle.readLines()) {
    lines.push(line)
    if (lines.length === most) break
  }
  await handle.close()
  return lines
}

const sample = (line: string): string =>
  RawRecord.toText(
    Result.getOrThrow(RawRecord.pick(RawRecord.fromText(line), sampleFields, { missing: "omit" }))
  )

const nextSteps = (output: string, errors: string): string => {
  const local = join("node_modules", ".bin", "chemstream")
  const command = existsSync(local) ? local : "chemstream"
  return [
    `all fields of the records above: ${output}`,
    `missing and invalid identifiers, with the reason: ${errors}`,
    "the invalid identifier has a wrong check digit: this demo sets --strict-ids, which makes it an error",
    "the substances are real; DTXSIDs and DTXCIDs from number 99000001 are made up, as qcNotes in their records says",
    "",
    "to try next:",
    `  cat ${errors}`,
    `  ${command} serve                          # prints a key and how to set it; then, in another shell:`,
    `  ${command} details DTXSID7020182 --projection compact`,
    `  ${command} details --help`,
    ""
  ].join("\n")
}
