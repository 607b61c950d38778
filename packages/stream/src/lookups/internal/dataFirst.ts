/**
 * Tells apart the two ways to call a function on a stream: with the stream, or in a `pipe`.
 */
import { Stream } from "effect"

/** Whether the first argument is the stream. */
export const isDataFirst = (args: IArguments): boolean => Stream.isStream(args[0])
