/**
 * Finds the most potent assay endpoints of a chemical in its bioactivity data, by the rule of `BioactivityData`.
 */
import { BioactivityData } from "@chemstream/api"

/** An assay endpoint of a chemical, with its most potent record. */
export type Endpoint = BioactivityData.Endpoint

/** Returns the assay endpoints of the records of a chemical, the most potent first (`BioactivityData.endpoints`). */
export const endpoints: typeof BioactivityData.endpoints = BioactivityData.endpoints

/** Returns the number of active endpoints and of all of them, e.g. `2/7`. */
export const countsOf = (all: ReadonlyArray<Endpoint>, separator = "/"): string =>
  `${all.filter(({ isActive }) => isActive).length}${separator}${all.length}`
