/**
 * Runs that can be stopped at any moment and resumed.
 *
 * `run` runs a lookup into an NDJSON file. `lines` opens such a file for records that a program makes itself.
 * `file` saves any other files that grow.
 */
export {
  type Checkpoint,
  CheckpointRefused,
  type Difference,
  defaultEvery,
  file,
  type Identity,
  type Options,
  open,
  type Position,
  type Refusal,
  type Settings
} from "./internal/checkpoint.ts"
export { type BatchLines, type Lines, type LinesOptions, lines } from "./internal/savedLines.ts"
export { optionSet, type RunOptions, run } from "./internal/savedRun.ts"
