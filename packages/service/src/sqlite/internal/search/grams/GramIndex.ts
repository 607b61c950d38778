/**
 * The index of parts of names: finds the documents that may contain a text. A document is the folded names of one
 * group of one substance.
 *
 * A gram is a run of three characters in groups of identifiers, and of four in groups of names. For each gram the
 * index stores the documents that contain it. Only a document with all grams of a text can contain the text.
 * `FORMAT.md` specifies the storage; docs/decisions/0005-index-of-parts-of-names.md explains why it is not FTS5.
 *
 * `gramReader.ts` and `gramWriter.ts` implement the interfaces. `nameIndex.ts` makes the documents, and `matchCandidates.ts` checks whether
 * they contain the text.
 */

/** The end of a document, so that each of its characters starts a gram. */
export const padding = "\n\n\n"

/** Reads the index. */
export interface Reader {
  /**
   * Yields the substances whose document of a group has all grams of a text, in order and in parts.
   *
   * For a text shorter than a gram, every document found contains the text.
   */
  readonly find: (group: number, text: string) => Iterable<ReadonlyArray<number>>
}

/** The writer. The caller has a transaction open. */
export interface Writer {
  /** Starts a transaction: discards the unfinished work of an earlier one. */
  readonly begin: () => void
  /** Replaces the text of a document. The documents of a group must come in the order of substances. */
  readonly put: (
    group: number,
    substance: number,
    before: string | undefined,
    now: string | undefined
  ) => void
  /** Discards the changes of a group, so that they can be put again. */
  readonly discard: (group: number) => void
  /** Writes the changes group by group, so that the caller can pause or stop. */
  readonly finish: () => Generator<void, void>
}
