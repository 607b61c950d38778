/**
 * Does the job of names-to-nta.ts with promises and loops instead of Effect. It writes each substance once, as NDJSON. Standard error
 * lists unknown names.
 *
 *   node examples/without-effect.ts < names.txt > suspects.ndjson
 *
 * The command does the same: chemstream search equal < names.txt | chemstream details --projection ntatoolkit > suspects.ndjson
 *
 * CHEMSTREAM_BASE_URL and CHEMSTREAM_API_KEY set the service. Exit code 1: something failed; 3: key rejected.
 */
import { pipeline } from "node:stream/promises"
import type { ChemError } from "@chemstream/client"
import { createChemstream, Outcome, type Problem } from "@chemstream/stream"

const report = (problem: Problem.Problem<Error>): void => {
  console.error(Outcome.describe(problem))
  if (problem._tag === "Failed") process.exitCode = 1
}

try {
  const chemstream = await createChemstream()
  const found = chemstream.lookup(process.stdin, { endpoint: "search.equal" }).records(report)
  const details = chemstream.lookup(found, {
    endpoint: "details.byDtxsid",
    projection: "ntatoolkit",
    id: (hit) => hit.dtxsid,
    // Two names of one substance give one record.
    dedupe: true
  })
  await pipeline(details.lines(report), process.stdout)
  await chemstream.close()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = (error as ChemError.ChemError)._tag === "Unauthorized" ? 3 : 1
}
