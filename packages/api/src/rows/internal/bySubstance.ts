/** The common part of the rows by substance that the public service alone has. */
import * as Key from "../../identifiers/Key.ts"

/** A substance has any number of records, and an unknown one an empty list. */
export const bySubstance = { dialect: "ctx", key: Key.dtxsid, multiplicity: "many", miss: "empty" } as const
