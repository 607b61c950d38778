/**
 * Finds the most potent assay endpoints of a chemical in its bioactivity data, by the rule of `BioactivityData`.
 */
import { BioactivityData } from "@chemstream/api"
import { Options } from "@chemstream/batch"

/** An assay endpoint of a chemical, with its most potent record. */
export type Endpoint = BioactivityData.Endpoint

/** Returns the assay endpoints of the records of a chemical, the most potent first (`BioactivityData.endpoints`). */
export const endpoints: typeof BioactivityData.endpoints = BioactivityData.endpoints

const endpointList = /* @__PURE__ */ Options.list(Options.object("an endpoint"))

/** Returns the number of active endpoints and of all of them, e.g. `2/7`. */
export const countsOf = (all: ReadonlyArray<Endpoint>, separator = "/"): string =>
  `${Options.argument("all", endpointList, all).filter(({ isActive }) => isActive).length}${separator}${all.length}`
