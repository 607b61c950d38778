/**
 * Explains why a saved run is not continued, and what to do.
 */
import type { Checkpoint } from "@chemstream/stream/node"
import { count } from "../terminal/quantities.ts"
import type * as OutputPlace from "./outputPlace.ts"

/** The files of a saved run. `position` is the checkpoint. */
export interface Places {
  readonly output: OutputPlace.Target
  /** The file of the records, which is `output` or is converted to it at the end. */
  readonly saved: OutputPlace.Target
  readonly errors: OutputPlace.Target | undefined
  readonly position: OutputPlace.Target
}

/** Returns the message about a refused checkpoint. */
export const toText = (refusal: Checkpoint.Refusal, places: Places): string => {
  const { errors, position } = places
  switch (refusal._tag) {
    case "OtherOptions":
      return `cannot continue the run of ${position.name}: ${refusal.differences.map(differenceText).join("; ")}. Give the same command as before, or add --no-resume to start over`
    case "Foreign": {
      const name = nameOf(refusal.file, places)
      if (refusal.file === position.path)
        return `${name} is not a checkpoint of chemstream. Choose another file with --checkpoint, or remove ${name} by hand`
      const option = refusal.file === `${errors?.path}.part` ? "--errors" : "--output"
      return `${name} exists, but no checkpoint of a run refers to it. Rename or remove it, or choose another ${option} file`
    }
    case "Unreadable":
      return startOverMessage(
        `${nameOf(refusal.file, places)} is damaged, or from another version of chemstream`
      )
    case "ShortOutput": {
      const { length, size } = refusal
      const name = nameOf(refusal.file, places)
      return startOverMessage(
        size === undefined
          ? `${name} is missing, and its ${count(length)} bytes cannot be continued`
          : `${name} is damaged: it has ${count(size)} bytes, and had ${count(length)}`
      )
    }
  }
}

const startOverMessage = (reason: string): string =>
  `cannot continue the run: ${reason}. Add --no-resume to start over`

/** Returns the name of one of the files, as the user gave it. */
const nameOf = (file: string, { errors, output, position, saved }: Places): string => {
  if (file === saved.path) return saved.name
  const target = [output, errors].find((one) => `${one?.path}.part` === file)
  return target === undefined ? position.name : `${target.name}.part`
}

/** Describes an option with its two values. */
const differenceText = ({ before, name, now }: Checkpoint.Difference): string =>
  `${flagOf(name)} is ${valueText(now)} now, and was ${valueText(before)}`

/** The settings that are not an option of the same name. */
const settingNames: Readonly<Record<string, string>> = {
  endpoint: "the endpoint",
  resolve: "a setting of resolve",
  rows: "the format of the rows",
  service: "--base-url",
  suspects: "a setting of suspects",
  version: "the version of chemstream"
}

const flagOf = (name: string): string =>
  settingNames[name] ?? `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

const valueText = (value: Checkpoint.Difference["now"]): string => {
  if (value === undefined || value === null) return "not given"
  if (typeof value === "boolean") return value ? "on" : "off"
  return JSON.stringify(value)
}
