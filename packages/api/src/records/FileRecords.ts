/** The records of files of the public service (docs/families/files.md): JSON that carries an image or a text. */
import { integer, lazyRecord, text } from "../schemas/internal/lazyRecord.ts"
import type * as Types from "./internal/types/FileRecords.ts"

/** The schema of a structure image: its media type, its size in bytes, and its bytes as base64. */
export const Image = lazyRecord<Types.Image>(
  { title: "Structure image", family: "files" },
  {
    mediaType: text("Kind of the image: image/png or image/svg+xml"),
    size: integer("Number of bytes of the image"),
    base64: text("The bytes of the image in base64 (RFC 4648, section 4)")
  }
)

/** A structure image: its media type, its size in bytes, and its bytes as base64. */
export type Image = Types.Image

/** The schema of a molfile: its media type, its size in bytes, and its text. */
export const Text = lazyRecord<Types.Text>(
  { title: "Molfile", family: "files" },
  {
    mediaType: text("Kind of the text: text/plain"),
    size: integer("Number of bytes of the text in UTF-8"),
    text: text("The text, with its line breaks")
  }
)

/** A molfile: its media type, its size in bytes, and its text. */
export type Text = Types.Text
