/**
 * The form in which names are stored and searched: the rule is the contract's (`NameForm` of `@chemstream/api`).
 */
import { NameForm } from "@chemstream/api"

export const fold: (text: string) => string = NameForm.fold
