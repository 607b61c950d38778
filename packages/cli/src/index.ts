/** The chemstream command as a value: run it with `Command.runWith` of `effect/cli`, or the binary in a shell. */
export { chemstream, version } from "./chemstream.ts"
