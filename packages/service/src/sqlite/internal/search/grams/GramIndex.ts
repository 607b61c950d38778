/**
 * The index of parts of names: finds the documents that may contain a text. A document is the folded names of one
 * group of one substance.
 *
 * A gram is a sequence of three characters in groups of identifiers, and of four in groups of names. For each gram
 * the index stores the documents that contain it; a text can only be in documents that have all its grams.
 * `FORMAT.md` specifies the storage, docs/decisions/0005-index-of-parts-of-names.md explains why it is not FTS5.
 *
 * `reader.ts` and `writer.ts` implement the interface. `nameIndex` makes the documents, `search` checks whether
 * they contain the text.
 */

/** Appended to a document, so that each text in it starts a gram. */
export const padding = "\n\n\n"

/** The read side. */
export interface Reader {
  /**
   * Yields the substances whose documents of a group have all grams of a text, in order, in parts.
   *
   * For a text shorter than a gram: whose documents contain it.
   */
  readonly find: (group: number, text: string) => Iterable<ReadonlyArray<number>>
}

/** The write side, within a transaction of the caller. */
export interface Writer {
  /** Forgets the unfinished work of an earlier transaction. */
  readonly begin: () => void
  /** Replaces the text of a document. Documents of a group come in the order of substances. */
  readonly put: (
    group: number,
    substance: number,
    before: string | undefined,
    now: string | undefined
  ) => void
  /** Forgets the changes of a group, so that they can be put anew. */
  readonly discard: (group: number) => void
  /** Writes the changes group by group. The caller decides what runs between two groups. */
  readonly finish: () => Generator<void, void>
}
