// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * The calls of the group `properties` (docs/families/properties.md).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request. The mode `F` says whether calls return effects or
 * promises (`Mode`).
 */
import type { PropertyRecords } from "@chemstream/api"
import type { Effects, Mode, Records } from "./Mode.ts"

/** The calls of the group `properties`. */
export interface PropertyCalls<F extends Mode = Effects> {
  /**
   * Gets the measured property of a substance (GET). `propValue` is in `propUnit`; `propValueOriginal` is the
   * value of the source. A property may have many values. The list may be empty.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const program = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   return yield* client.properties.experimental("DTXSID7020182")
   * })
   * ```
   */
  readonly experimental: (dtxsid: string) => Records<F, PropertyRecords.Experimental>

  /**
   * Gets the measured properties of up to 1000 substances in one request (POST). Unknown ones have none, and
   * the order may differ from the request.
   */
  readonly experimentalBatch: (dtxsids: ReadonlyArray<string>) => Records<F, PropertyRecords.Experimental>

  /**
   * Gets the measured value of a range of a property (GET). The range is in the unit of the property, with
   * both ends. The response is not limited in size. The list may be empty.
   */
  readonly experimentalInRange: (
    propertyName: string,
    start: number,
    end: number
  ) => Records<F, PropertyRecords.Experimental>

  /**
   * Gets the names of measured properties (GET). Ranges and summaries of a property need its name as it is
   * here. The list may be empty.
   */
  readonly experimentalNames: () => Records<F, PropertyRecords.PropertyName>

  /** Gets the measured value of a property of a substance (GET). The list may be empty. */
  readonly experimentalSummaryByName: (
    dtxsid: string,
    propName: string
  ) => Records<F, PropertyRecords.SummaryValue>

  /**
   * Gets the predicted property of a substance (GET). `propValue` is in `propUnit`, and null where
   * `propValueError` says why. Several models predict the same property, so the model belongs to the name. The
   * list may be empty.
   */
  readonly predicted: (dtxsid: string) => Records<F, PropertyRecords.Predicted>

  /**
   * Gets the predicted properties of up to 1000 substances in one request (POST). Unknown ones have none, and
   * the order may differ from the request.
   */
  readonly predictedBatch: (dtxsids: ReadonlyArray<string>) => Records<F, PropertyRecords.Predicted>

  /**
   * Gets the predicted value of a range of a property (GET). The range is in the unit of the property, with
   * both ends. The response is not limited in size. The list may be empty.
   */
  readonly predictedInRange: (
    propertyName: string,
    start: number,
    end: number
  ) => Records<F, PropertyRecords.Predicted>

  /**
   * Gets the names of predicted properties (GET). Ranges and summaries of a property need its name as it is
   * here. The list may be empty.
   */
  readonly predictedNames: () => Records<F, PropertyRecords.PropertyName>

  /** Gets the predicted value of a property of a substance (GET). The list may be empty. */
  readonly predictedSummaryByName: (
    dtxsid: string,
    propName: string
  ) => Records<F, PropertyRecords.SummaryValue>

  /**
   * Gets the summary of a property of a substance (GET). The values are in `unit`. The order of the fields
   * varies. The list may be empty.
   */
  readonly summary: (dtxsid: string) => Records<F, PropertyRecords.Summary>

  /**
   * Gets the summary of a property of a substance (GET). The values are in `unit`. The order of the fields
   * varies. The list may be empty.
   */
  readonly summaryByName: (dtxsid: string, propName: string) => Records<F, PropertyRecords.Summary>
}
