/**
 * Looks up substances with promises, in a service in this process, and prints their names.
 *
 * The command does the same: chemstream details DTXSID7020182 DTXSID2099900001 DTXSID3039242 --fields preferredName --format tsv
 */
import { Bundled, Service } from "@chemstream/service"
import { createChemstream } from "@chemstream/stream"
import { Effect, Redacted } from "effect"

const lookUp = async (baseUrl: string) => {
  const chemstream = await createChemstream({ baseUrl, apiKey: "a-key" })
  const ids = ["DTXSID7020182", "DTXSID2099900001", "DTXSID3039242"]
  const run = chemstream.lookup(ids, { endpoint: "details.byDtxsid", projection: "compact" })
  for await (const outcome of run) {
    if (outcome._tag === "Found") console.log(outcome.records[0]?.preferredName)
    else console.log(outcome._tag, outcome.id)
  }
  await chemstream.close()
}

// The bundled service in this process. For a real one, call `lookUp` with its address and your key.
const service = Service.make({ database: Bundled.database, keys: [Redacted.make("a-key")] })
await Effect.runPromise(
  Effect.scoped(Effect.flatMap(service, ({ url }) => Effect.promise(() => lookUp(url))))
)
// Bisphenol A
// Missing DTXSID2099900001
// Benzene
