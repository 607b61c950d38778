/**
 * Folds names for storing and searching, by the rule of the contract (`NameForm` of `@chemstream/api`).
 *
 * Imported from its own module: the whole contract would cost each search thread 40 MiB.
 */
export { fold } from "@chemstream/api/NameForm"
