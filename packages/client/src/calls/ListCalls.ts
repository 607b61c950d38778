// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * The calls of the group `lists` (docs/families/lists.md).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request. The mode `F` says whether calls return effects or
 * promises (`Mode`).
 */
import type { Lists, Row } from "@chemstream/api"
import type { Effects, Mode, One, Records } from "./Mode.ts"

/** The forms of lists of substances, by projection. */
export type AllForms = Row.RecordsByForm<typeof Lists.all>

/** The forms of descriptions, by projection. */
export type ListForms = Row.RecordsByForm<typeof Lists.byName>

/** The forms of lists, by projection. */
export type OfForms = Row.RecordsByForm<typeof Lists.of>

/** The calls of the group `lists`. */
export interface ListCalls<F extends Mode = Effects> {
  /**
   * Gets the list (GET). Descriptions have HTML. With the members, the response is many megabytes. The list
   * may be empty.
   */
  readonly all: <P extends keyof AllForms = "chemicallistall">(options?: {
    readonly projection?: P | undefined
  }) => Records<F, AllForms[P]>

  /**
   * Gets the description of a list (GET). Descriptions have HTML. `lists.members` has the members one by one.
   * Fails with `NotFound` if there is none.
   */
  readonly byName: <P extends keyof ListForms = "chemicallistall">(
    listName: string,
    options?: { readonly projection?: P | undefined }
  ) => One<F, ListForms[P]>

  /** Gets the list of a type of lists (GET). Descriptions have HTML. The list may be empty. */
  readonly byType: <P extends keyof ListForms = "chemicallistall">(
    listType: string,
    options?: { readonly projection?: P | undefined }
  ) => Records<F, ListForms[P]>

  /**
   * Gets the substances (GET). An unknown list has none, like an empty one: `lists.byName` tells them apart.
   * The largest list has 96,000. The list may be empty.
   */
  readonly members: (listName: string) => Records<F, string>

  /**
   * Gets the substances of a list with a name or identifier that contains a word (GET). The list may be empty.
   */
  readonly membersContain: (list: string, word: string) => Records<F, string>

  /** Gets the substances of a list with exactly a name or identifier (GET). The list may be empty. */
  readonly membersEqual: (list: string, word: string) => Records<F, string>

  /**
   * Gets the substances of a list with a name or identifier that starts with a word (GET). The list may be
   * empty.
   */
  readonly membersStartWith: (list: string, word: string) => Records<F, string>

  /**
   * Gets the list of a substance (GET). A common substance is in more than a hundred lists. Descriptions have
   * HTML. The list may be empty.
   */
  readonly of: <P extends keyof OfForms = "chemicallistall">(
    dtxsid: string,
    options?: { readonly projection?: P | undefined }
  ) => Records<F, OfForms[P]>

  /** Gets the types of lists (GET). The list may be empty. */
  readonly types: () => Records<F, string>
}
