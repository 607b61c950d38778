// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/**
 * The calls of the group `properties` (docs/families/properties.md).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request.
 */
import type { InvalidIdentifier, PropertyRecords } from "@chemstream/api"
import type { ChemError } from "../errors/ChemError.ts"
import type { Effects, Mode, One } from "./Mode.ts"

type Failure = ChemError | InvalidIdentifier.InvalidIdentifier

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
  readonly experimental: (dtxsid: string) => One<F, ReadonlyArray<PropertyRecords.Experimental>, Failure>

  /**
   * Gets the measured properties of up to 1000 substances in one request (POST). Unknown ones have none, and
   * the order may differ from the request.
   */
  readonly experimentalBatch: (
    dtxsids: ReadonlyArray<string>
  ) => One<F, ReadonlyArray<PropertyRecords.Experimental>, Failure>

  /**
   * Gets the measured value of a range of a property (GET). The range is in the unit of the property, with
   * both ends. The response is not limited in size. The list may be empty.
   */
  readonly experimentalInRange: (
    propertyName: string,
    start: number,
    end: number
  ) => One<F, ReadonlyArray<PropertyRecords.Experimental>, Failure>

  /**
   * Gets the names of measured properties (GET). Ranges and summaries of a property need its name as it is
   * here. The list may be empty.
   */
  readonly experimentalNames: () => One<F, ReadonlyArray<PropertyRecords.PropertyName>, Failure>

  /** Gets the measured value of a property of a substance (GET). The list may be empty. */
  readonly experimentalSummaryByName: (
    dtxsid: string,
    propName: string
  ) => One<F, ReadonlyArray<PropertyRecords.SummaryValue>, Failure>

  /**
   * Gets the predicted property of a substance (GET). `propValue` is in `propUnit`, and null where
   * `propValueError` says why. Several models predict the same property, so the model belongs to the name. The
   * list may be empty.
   */
  readonly predicted: (dtxsid: string) => One<F, ReadonlyArray<PropertyRecords.Predicted>, Failure>

  /**
   * Gets the predicted properties of up to 1000 substances in one request (POST). Unknown ones have none, and
   * the order may differ from the request.
   */
  readonly predictedBatch: (
    dtxsids: ReadonlyArray<string>
  ) => One<F, ReadonlyArray<PropertyRecords.Predicted>, Failure>

  /**
   * Gets the predicted value of a range of a property (GET). The range is in the unit of the property, with
   * both ends. The response is not limited in size. The list may be empty.
   */
  readonly predictedInRange: (
    propertyName: string,
    start: number,
    end: number
  ) => One<F, ReadonlyArray<PropertyRecords.Predicted>, Failure>

  /**
   * Gets the names of predicted properties (GET). Ranges and summaries of a property need its name as it is
   * here. The list may be empty.
   */
  readonly predictedNames: () => One<F, ReadonlyArray<PropertyRecords.PropertyName>, Failure>

  /** Gets the predicted value of a property of a substance (GET). The list may be empty. */
  readonly predictedSummaryByName: (
    dtxsid: string,
    propName: string
  ) => One<F, ReadonlyArray<PropertyRecords.SummaryValue>, Failure>

  /**
   * Gets the summary of a property of a substance (GET). The values are in `unit`. The order of the fields
   * varies. The list may be empty.
   */
  readonly summary: (dtxsid: string) => One<F, ReadonlyArray<PropertyRecords.Summary>, Failure>

  /**
   * Gets the summary of a property of a substance (GET). The values are in `unit`. The order of the fields
   * varies. The list may be empty.
   */
  readonly summaryByName: (
    dtxsid: string,
    propName: string
  ) => One<F, ReadonlyArray<PropertyRecords.Summary>, Failure>
}
