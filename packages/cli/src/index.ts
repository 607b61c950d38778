/** The chemstream command as a value: run it with `Command.runWith` of `effect/cli`, or the binary in a shell. */
export { load, version } from "./chemstream.ts"
