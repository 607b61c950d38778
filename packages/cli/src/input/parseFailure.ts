/** Returns the failure of an input whose text is no table or no lines, with the advice of the command. */
import type { Csv, Ndjson } from "@chemstream/ndjson"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import * as ErrorCatalogue from "../help/errors/errorCatalogue.ts"

/** Other failures stay unchanged. */
export const unparsable = (error: Csv.CsvError | Ndjson.NdjsonError | CommandFailure): CommandFailure =>
  error._tag === "CommandFailure"
    ? error
    : usageFailure(`cannot read the input: ${ErrorCatalogue.explain(error)}`)
