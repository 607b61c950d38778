/** Runs the command of this process. */
import { runProcess } from "./process/runProcess.ts"

runProcess()
