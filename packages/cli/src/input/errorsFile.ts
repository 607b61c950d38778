/**
 * The setting of how an errors file is read as an input: which of its lines are requested again. `chemstream retry` sets it, and
 * `lineValues.ts` reads the lines by it.
 */
import { Context } from "effect"

/** How an errors file is read. */
export interface ErrorsFile {
  /** The outcomes that are requested again. */
  readonly outcomes: ReadonlySet<string>
  /** Whether the input must be an errors file. */
  readonly isRequired: boolean
}

/** The current settings. Default: only failed identifiers, and any input. `chemstream retry` sets others. */
export const ErrorsFile: Context.Reference<ErrorsFile> = Context.Reference<ErrorsFile>(
  "chemstream/ErrorsFile",
  {
    defaultValue: () => ({ outcomes: new Set(["failed"]), isRequired: false })
  }
)
