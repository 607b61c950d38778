/**
 * Runs that can be stopped at any moment and resumed.
 *
 * `run` runs a lookup into an NDJSON file. `lines` opens such a file for records that a program makes itself.
 * `file` saves any other files that grow. `internal/checkpointRun.ts` has the options and their defaults, `internal/checkpointFile.ts` the
 * messages of refused checkpoints.
 */
export { CheckpointRefused, type Difference, type Identity, type Refusal } from "./internal/checkpointFile.ts"
export {
  type Checkpoint,
  defaultEvery,
  type Options,
  type Position,
  type Settings
} from "./internal/checkpointRun.ts"
export { file, open } from "./internal/openCheckpoint.ts"
export { type BatchLines, type Lines, type LinesOptions, lines } from "./internal/savedLines.ts"
export { optionSet, type RunOptions, run } from "./internal/savedRun.ts"
