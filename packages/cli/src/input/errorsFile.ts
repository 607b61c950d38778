/**
 * Selects the lines of an errors file that are requested again when it is the input.
 */
import { Context } from "effect"

/** The settings for reading an errors file. */
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
