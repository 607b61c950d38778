/**
 * Runs that can be stopped at any moment and continued. `run` does all of it: identifiers through a lookup into an NDJSON file.
 * `lines` is the file of such a run, for parts that a program writes itself; `file` saves any other files that grow.
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
export { type Lines, type LinesOptions, lines, type Part } from "./internal/savedLines.ts"
export { type RunOptions, run } from "./internal/savedRun.ts"
