// Generated from packages/api/src/records/FileRecords.ts by `npm run generate`. Change the schema there instead.

/** Molfile. */
export interface Text {
  /** Kind of the text: text/plain. */
  readonly mediaType?: string | null
  /** Number of bytes of the text in UTF-8. */
  readonly size?: number | null
  /** The text, with its line breaks. */
  readonly text?: string | null
}

/** Structure image. */
export interface Image {
  /** Kind of the image: image/png or image/svg+xml. */
  readonly mediaType?: string | null
  /** Number of bytes of the image. */
  readonly size?: number | null
  /** The bytes of the image in base64 (RFC 4648, section 4). */
  readonly base64?: string | null
}
