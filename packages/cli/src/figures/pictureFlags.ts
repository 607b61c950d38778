/**
 * The options for the title, the size and the resolution of a picture. Their defaults are in the
 * figures package (`Png.defaultDpi`, `plotOptions.ts`).
 */
import type { Command } from "effect/cli"
import { optionalNumber, optionalText } from "../flags/flagTypes.ts"

/** A number of a unit, within bounds. */
const within = (name: string, unit: string, least: number, most: number, description: string) =>
  optionalNumber(
    name,
    unit,
    description,
    (value) => value >= least && value <= most,
    `a number from ${least} to ${most}`
  )

/** The option `--dpi`. */
export const dpi = within(
  "dpi",
  "N",
  1,
  2400,
  "Pixels per inch of a .png, which says its size [default: 300]"
)

/** The options of a plot. */
export const flags = {
  title: optionalText("title", "TEXT", "Title [default: the name of the substance, or what is drawn]"),
  width: within(
    "width",
    "MM",
    40,
    2000,
    "Width in millimetres; 85 is a column of a journal [default: 190.5]"
  ),
  height: within("height", "MM", 30, 2000, "Height in millimetres [default: by the width and the content]"),
  fontSize: within("font-size", "PT", 3, 72, "Size of the text in points [default: 9, or 7 below 127 mm]"),
  dpi
}

/** The values of `flags`. */
export type Given = Command.Command.Config.Infer<typeof flags>

/** Returns the options of a plot, whose lengths are in units of 1/96 inch. */
export const optionsOf = ({ fontSize, height, title, width }: Given) => ({
  title,
  width: width && (width / 25.4) * 96,
  height: height && (height / 25.4) * 96,
  fontSize: fontSize && (fontSize / 72) * 96
})
