/** Finds a bundled substance by its name. */
import { type SubstanceFacts, substances } from "../substances.ts"

/** Returns the facts about the bundled substance with a preferred name. Throws if there is none. */
export const bundled = (preferredName: string): SubstanceFacts => {
  const found = substances.find((one) => one.preferredName === preferredName)
  if (found === undefined) throw new Error(`No bundled substance has the name ${preferredName}.`)
  return found
}
