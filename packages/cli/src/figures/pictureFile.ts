/**
 * The file of a picture or page: its option, the format by its extension, the checks before the first request, and its bytes.
 *
 * `@chemstream/figures` draws the picture. This package is loaded only for drawing.
 */
import { Quote } from "@chemstream/api"
import type { MissingPackage, Png } from "@chemstream/figures"
import { Effect, Stream } from "effect"
import { type CommandFailure, runFailure, usageFailure } from "../CommandFailure.ts"
import * as clientFlags from "../flags/clientFlags.ts"
import { optionalText } from "../flags/flagTypes.ts"
import * as openInput from "../input/openInput.ts"
import * as FileCheck from "../output/fileCheck.ts"
import * as OutputPlace from "../output/outputPlace.ts"

/** The formats of a command, by file extension. */
export type Format = "svg" | "png" | "pdf" | "html" | "txt"

/** The option `--output`, with the allowed extensions. */
export const outputFlag = (formats: ReadonlyArray<Format>) =>
  optionalText(
    "output",
    "FILE",
    `File to write: ${formats.map((format) => `.${format}`).join(", ")} [default: standard output]`,
    "o"
  )

/** Loads the drawing library. */
export const load: Effect.Effect<typeof import("@chemstream/figures")> = Effect.promise(
  () => import("@chemstream/figures")
)

/** Returns the format of a file's extension. Without a file: `defaultFormat`. Fails if it needs a package that is not installed. */
export const formatOf = <F extends Format>(
  file: string | undefined,
  formats: ReadonlyArray<F>,
  defaultFormat: F
): Effect.Effect<F, CommandFailure> => {
  if (file === undefined) return Effect.succeed(defaultFormat)
  const found = formats.find((format) => file.toLowerCase().endsWith(`.${format}`))
  return found === undefined
    ? usageFailure(
        `unknown format of ${Quote.value(file)}: use the extension ${formats.map((format) => `.${format}`).join(" or ")}`
      )
    : Effect.as(checkPackages(found), found)
}

/** Fails if a format needs a package that is not installed. */
export const checkPackages = (format: Format): Effect.Effect<void, CommandFailure> =>
  format === "png" || format === "pdf"
    ? Effect.flatMap(load, ({ Pdf, Png }) =>
        Effect.mapError(format === "png" ? Png.check : Pdf.check, pictureFailure)
      )
    : Effect.void

/** Fails before the first request if the picture of an option would overwrite an input of the command, or cannot be written. */
export const checkFiles = (
  given: Pick<openInput.Given, "input" | "values"> & {
    readonly output: string | undefined
    readonly client: clientFlags.Settings
  },
  option = "--output"
): Effect.Effect<void, CommandFailure> =>
  Effect.andThen(
    FileCheck.check({
      inputs: [...openInput.files(given), ...clientFlags.files(given.client)],
      outputs: FileCheck.replaced(option, given.output)
    }),
    Effect.asVoid(OutputPlace.locateAll({ output: given.output }))
  )

/** Encodes text as bytes. */
export const ofText = (text: string): Stream.Stream<Uint8Array> => Stream.make(new TextEncoder().encode(text))

/** The format of one picture, or of the pages of pictures. */
export type PictureFormat = "svg" | "png" | "pdf"

/** The options of a conversion. */
export interface Conversion extends Png.Options {
  /** The title of a PDF. */
  readonly title: string
}

/** Converts SVGs to the bytes of a picture format. Only a PDF has more than one. */
export const ofSvgs = (
  svgs: ReadonlyArray<string>,
  format: PictureFormat,
  { dpi, title, transparent }: Conversion
): Stream.Stream<Uint8Array, CommandFailure> => {
  const [svg = ""] = svgs
  if (format === "svg") return ofText(svg)
  return Stream.fromEffect(
    Effect.flatMap(load, ({ Pdf, Png }) =>
      Effect.mapError(
        format === "png" ? Png.fromSvg(svg, { dpi, transparent }) : Pdf.fromSvgs(title, svgs),
        pictureFailure
      )
    )
  )
}

/** Fails if an option for .png pictures is given for another format. */
export const checkDpi = (dpi: number | undefined, format: Format): Effect.Effect<void, CommandFailure> =>
  dpi !== undefined && format !== "png"
    ? usageFailure("--dpi is for .png files: other formats have no pixels")
    : Effect.void

const pictureFailure = (error: MissingPackage.MissingPackage | Png.UnreadableSvg): CommandFailure =>
  error._tag === "MissingPackage" ? usageFailure(error.message) : runFailure(error.message)
