/**
 * Folds names as they are stored and searched, by the rule of the contract (`NameForm` of `@chemstream/api`).
 *
 * Imported from its own module, because the whole contract would cost each search thread 40 MiB.
 */
export { fold } from "@chemstream/api/NameForm"
