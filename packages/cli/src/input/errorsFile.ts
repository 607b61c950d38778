/**
 * Which lines of a file of `--errors` are asked for again when it is the input.
 */
import { Context } from "effect"

/** How an errors file is read. */
export interface ErrorsFile {
  /** The outcomes that are asked for again. */
  readonly outcomes: ReadonlySet<string>
  /** Whether the input must be an errors file; otherwise it may be any. */
  readonly isRequired: boolean
}

/** The reading in force: failed ones alone, of any input that has them. `chemstream retry` provides another. */
export const ErrorsFile: Context.Reference<ErrorsFile> = Context.Reference<ErrorsFile>(
  "chemstream/ErrorsFile",
  {
    defaultValue: () => ({ outcomes: new Set(["failed"]), isRequired: false })
  }
)
