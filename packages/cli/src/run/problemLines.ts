/**
 * The lines of the errors file: the outcomes that need a review. `problemSummary.ts` sums them up.
 */
import type { ChemError } from "@chemstream/client"
import { Problem as StreamProblem } from "@chemstream/stream"
import { missingMeaning } from "../output/missingMeaning.ts"

const encoder = new TextEncoder()

/** An outcome that needs a review. */
export type Problem = StreamProblem.Listed<unknown, ChemError.ChemError>

/** Returns problems as lines of NDJSON. The endpoint decides the meaning of `missing`. */
export const encode = (
  problems: ReadonlyArray<Problem>,
  endpoint: string,
  messages: Pick<StreamProblem.Messages, "doubtful" | "shown"> = {}
): Uint8Array => {
  const absent = (id: string): string => missingMeaning(endpoint, id)
  return encoder.encode(
    problems.map((problem) => `${StreamProblem.toLine(problem, { ...messages, absent })}\n`).join("")
  )
}
