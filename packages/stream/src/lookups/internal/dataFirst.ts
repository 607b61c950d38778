/**
 * Tells the two ways of calling a function that takes a stream: with the stream, or in a `pipe`.
 */
import { Stream } from "effect"

/** Whether the arguments begin with the stream. */
export const isDataFirst = (args: IArguments): boolean => Stream.isStream(args[0])
