/**
 * The texts of a family of rows: those of its help, of its page, and of its tool for assistants.
 *
 * A family has the rows whose commands begin with its word. Without a declaration, its texts are made of its rows.
 */
import type { Command } from "./Row.ts"

/** A family of rows. */
export interface Family {
  /** The first word of its commands, which is also the name of its tool, e.g. `details`. */
  readonly word: string
  /** Its title, e.g. `Chemical details`. */
  readonly title: string
  /** What its commands write. */
  readonly description: string
  /** A paragraph about its records, for its page (docs/families). Default: none. */
  readonly about?: string
  /** Examples of a family with several commands. Default: the first example of each. */
  readonly examples?: Command["examples"]
  readonly tool?: Tool
}

/** The texts and defaults of a tool, instead of those of its rows. */
export interface Tool {
  /** What it gives, as a sentence. Default: made of `what` of the rows. */
  readonly description?: string
  /** Its identifiers. Default: made of the keys. */
  readonly identifiers?: string
  /** The default view: the last word of a command. Default: that of the first. */
  readonly view?: string
  /** The default projection, and the meaning of its values. Default: no choice. */
  readonly projection?: { readonly default: string; readonly description: string }
}

/**
 * Declares a family.
 *
 * @example
 * ```ts
 * import { Family } from "@chemstream/api"
 *
 * const family = Family.make({ word: "fate", title: "Fate", description: "Fate of substances in the environment" })
 * family.word // => "fate"
 * ```
 */
export const make = (family: Family): Family => family
