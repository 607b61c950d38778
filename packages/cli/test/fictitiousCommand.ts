/** Runs the command with rows that the contract does not have, as a process. Not a test itself. */
import { runProcess } from "../src/process/runProcess.ts"
import { rows } from "./fictitiousRow.ts"

runProcess(rows)
