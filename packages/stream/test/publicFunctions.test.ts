/** Every function that the packages export, called with wrong arguments: its errors have a `_tag`. */
import { ChemClient } from "@chemstream/client"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { Layer } from "effect"
import { expect, it } from "vitest"
import { walk } from "./wrongArguments.ts"

const services = Layer.mergeAll(ChemClient.layerTest({}, { retry: 1 }), NodeFileSystem.layer, NodePath.layer)

/**
 * Functions on values that the packages make: rows, schemas, clocks. They return at once, so JavaScript's own error names the
 * line of a mistake. Nothing starts here: each function that runs something, reads an input or takes options is checked.
 */
const onValues: ReadonlySet<string> = new Set([
  // The contract: rows, keys and schemas, for generators of clients and services.
  ...[
    "BatchLimit",
    "ChemicalApi",
    "DetailProjection",
    "Dialect",
    "JsonSchema",
    "Key",
    "Operation",
    "RecordSchema",
    "Row"
  ],
  // Parsed identifiers, adducts and records of responses.
  ...[
    "BioactivityData",
    "IdentifierKind.withArticle",
    "InvalidIdentifier.malformed",
    "NameForm",
    "Placeholder",
    "Quote"
  ],
  ...[
    "Dtxcid.fromNumber",
    "Dtxcid.neighbours",
    "Dtxcid.verify",
    "Dtxsid.fromNumber",
    "Dtxsid.neighbours",
    "Dtxsid.verify"
  ],
  ...[
    "Adduct.fits",
    "Adduct.massError",
    "Adduct.massRange",
    "Adduct.massTolerance",
    "Adduct.mz",
    "Adduct.neutralMass"
  ],
  ...["Adduct.polarity", "Repair", "fold", "hyphens"],
  // Responses and their errors.
  ...[
    "BodyReader",
    "CallObserver",
    "ChemError",
    "Endpoint",
    "MsReadyResponse",
    "Pages",
    "RetryPolicy.complete"
  ],
  ...["RetryPolicy.nextDelay", "SearchResponse"]
])

it.each(["api", "batch", "client", "faults", "ndjson", "stream"])("the functions of %s", async (name) => {
  const { count, untagged } = await walk(name, (entry) => import(entry), services, onValues)
  expect(count).toBeGreaterThan(20)
  expect(untagged).toEqual([])
})
