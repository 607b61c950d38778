/**
 * The option `--out-dir` of `chemstream files`: writes each image or molfile into a folder. Its record then has the name of
 * the file instead of the content.
 */
import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Row } from "@chemstream/api"
import type { BodyReader } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Result, Schema } from "effect"
import { type CommandFailure, reasonOf, runFailure } from "../../CommandFailure.ts"
import { optionalText } from "../../flags/flagTypes.ts"
import type { CommandTask } from "../../run/lookupCommand.ts"

/** The option. */
export const own = {
  outDir: optionalText(
    "out-dir",
    "FOLDER",
    "Folder for a file of each value, e.g. DTXSID7020182.png; records have its name instead of the content"
  )
}

/** The ends of file names by media type. */
const ends: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/svg+xml": "svg",
  "text/plain": "mol"
}

/** Returns the advice if the service sent no file at all: another command that has the structures. */
export const otherwise = ({ what }: Row.Row): string =>
  `the service sent no ${what}: ${
    what.endsWith("images")
      ? "chemstream show draws the structures itself, e.g. show --input FILE --output structures.html"
      : "chemstream details has the structures as SMILES, e.g. details --fields dtxsid,smiles --input FILE"
  }`

/** Changes a task so that its files are written into the folder that is given. */
export const withFolder = (task: CommandTask, row: Row.Row, folder: string | undefined): CommandTask => {
  if (folder === undefined) return task
  const key = row.key?.name ?? ""
  const fields = {
    [key]: Schema.String,
    mediaType: Schema.String,
    size: Schema.Int,
    file: Schema.String.annotate({ description: "Name of the file" })
  }
  const schema = Schema.Struct(fields).annotate({ title: "File of a structure" }) as never
  return {
    ...task,
    lookup: { ...task.lookup, schema },
    settings: { ...task.settings, outDir: folder },
    change: (record) => {
      const {
        base64,
        mediaType,
        size,
        text = "",
        ...rest
      } = JSON.parse(RawRecord.toText(record)) as BodyReader.FileRecord
      const file = join(
        folder,
        `${String((rest as Record<string, unknown>)[key])}.${ends[mediaType] ?? "bin"}`
      )
      return Result.map(
        write(folder, file, base64 === undefined ? text : Buffer.from(base64, "base64")),
        () => RawRecord.fromText(JSON.stringify({ ...rest, mediaType, size, file }))
      )
    }
  }
}

/** Writes a file whole or not at all. */
const write = (folder: string, file: string, content: string | Buffer): Result.Result<void, CommandFailure> =>
  Result.try({
    try: () => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(`${file}.part`, content)
      renameSync(`${file}.part`, file)
    },
    catch: (cause) => runFailure(`cannot write ${file}: ${reasonOf(cause)}`)
  })
