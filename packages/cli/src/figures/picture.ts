/**
 * Where a picture or page goes: standard output, or a file whose name says what it is.
 *
 * Only the names of formats are known here; drawing is `@chemstream/figures`', which the commands load when they draw.
 */
import type { MissingPackage, Png } from "@chemstream/figures"
import { Effect, Option, type Scope, Stream } from "effect"
import { Flag } from "effect/cli"
import { type CommandFailure, failed, usage } from "../CommandFailure.ts"
import * as clientFlags from "../flags/clientFlags.ts"
import * as input from "../input/input.ts"
import * as Output from "../output/output.ts"
import * as RunFiles from "../output/runFiles.ts"

/** The formats a command may write, each by the end of a file's name. */
export type Format = "svg" | "png" | "html" | "txt"

/** `--output`, with what may be named. */
export const outputFlag = (formats: ReadonlyArray<Format>) =>
  Flag.String("output").pipe(
    Flag.withAlias("o"),
    Flag.withMetavar("FILE"),
    Flag.withDescription(
      `File to write: ${formats.map((format) => `.${format}`).join(", ")} [default: standard output]`
    ),
    Flag.optional
  )

/** The drawing library, loaded when something is drawn. */
export const load: Effect.Effect<typeof import("@chemstream/figures")> = Effect.promise(
  () => import("@chemstream/figures")
)

/** The format that the name of a file asks for; `unnamed` where there is none. */
export const formatOf = <F extends Format>(
  file: Option.Option<string>,
  formats: ReadonlyArray<F>,
  unnamed: F
): Effect.Effect<F, CommandFailure> => {
  if (Option.isNone(file)) return Effect.succeed(unnamed)
  const found = formats.find((format) => file.value.toLowerCase().endsWith(`.${format}`))
  return found === undefined
    ? Effect.fail(
        usage(
          `cannot tell what to write to ${JSON.stringify(file.value)}: let its name end in ${formats.map((format) => `.${format}`).join(" or ")}`
        )
      )
    : Effect.succeed(found)
}

/** Fails where the picture would be written over a file that the command reads. */
export const checkFiles = (
  given: Pick<input.Given, "input" | "values"> & {
    readonly output: Option.Option<string>
    readonly client: clientFlags.Settings
  }
): Effect.Effect<void, CommandFailure> =>
  RunFiles.check({
    inputs: [...input.files(given), ...clientFlags.files(given.client)],
    outputs: RunFiles.replaced("--output", given.output)
  })

/**
 * Writes bytes as they come. A file appears when all of them are in it; a reader that goes away ends it quietly.
 * `styled` says that it is text with colours and weights of our own.
 */
export const write = <E, R>(
  file: Option.Option<string>,
  bytes: Stream.Stream<Uint8Array, E, R>,
  styled = false
): Effect.Effect<void, E | CommandFailure, Exclude<R, Scope.Scope>> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { commit, outputs } = yield* Output.openFiles({ output: Option.getOrUndefined(file) })
      const { output = Output.standard(styled) } = outputs
      yield* Stream.runForEachWhile(bytes, (chunk) => isTaken(output, chunk))
      yield* commit("output")
    })
  )

const isTaken = (output: Output.Output, chunk: Uint8Array): Effect.Effect<boolean, CommandFailure> =>
  output.write(chunk).pipe(
    Effect.as(true),
    Effect.catchTag("ReaderGone", () => Effect.succeed(false))
  )

/** Text as bytes to write. */
export const ofText = (text: string): Stream.Stream<Uint8Array> => Stream.make(new TextEncoder().encode(text))

/** The bytes of an SVG in a format of one picture. */
export const ofSvg = (svg: string, format: "svg" | "png"): Stream.Stream<Uint8Array, CommandFailure> =>
  format === "svg"
    ? ofText(svg)
    : Stream.fromEffect(Effect.flatMap(load, ({ Png }) => Effect.mapError(Png.fromSvg(svg), ofPicture)))

const ofPicture = (error: MissingPackage.MissingPackage | Png.UnreadableSvg): CommandFailure =>
  error._tag === "MissingPackage" ? usage(error.message) : failed(error.message)
