/**
 * The index of parts of names: which documents may contain a text. A document is the names of one group of one substance,
 * folded.
 *
 * A gram is a run of three characters in groups of identifiers, and of four in groups of names. For each gram the index
 * holds the set of documents that contain it; a text is looked for in the documents that have all its grams. `FORMAT.md`
 * says how the sets are stored, docs/decisions/0005-index-of-parts-of-names.md why this is not FTS5.
 *
 * `reader.ts` and `writer.ts` implement this interface, and other folders use nothing else of this one. What the documents
 * are is `names`' business; whether one contains the text is `search`'s.
 */

/** What follows a document, so that each text within it is the start of some gram. */
export const padding = "\n\n\n"

/** The read side. */
export interface Reader {
  /**
   * The substances whose documents of a group have all grams of a text, in order, in parts. For a text that is shorter
   * than a gram: whose documents contain it.
   */
  readonly find: (of: number, text: string) => Iterable<ReadonlyArray<number>>
}

/** The write side, within a transaction of the caller's. */
export interface Writer {
  /** Forgets what an earlier transaction has left undone. */
  readonly begin: () => void
  /** Sets the text of a document, from what it was before. Documents of a group come in order of substances. */
  readonly put: (of: number, substance: number, before: string | undefined, now: string | undefined) => void
  /** Forgets what has been put of a group, which can be put anew. */
  readonly forget: (of: number) => void
  /** Writes what has been put, group by group: the caller decides what runs between two of them. */
  readonly finish: () => Generator<void, void>
}
