/**
 * Facts about the public service that rows of endpoints need, so that they do not load `Dialect`, which exports these facts and has the
 * others, e.g. its requests per second.
 */

/** The maximum batch of bioactivity data of the public service. A larger one gets a 500 without a reason. */
export const bioactivityBatchLimit = 200

/** By default, the public service sends only this many hits of a starts-with search, the first ones. */
export const startWithTop = 500

/** The public service's name of the projection `assay-summary-plot`. */
export const plotProjection = "toxcast-summary-plot"

/**
 * The control mass of a batch of masses with a tolerance, in dalton. No substance has it. The service of the contract
 * names it `0.0001` in its response, the public service `1.0E-4`, as Java writes a double.
 */
export const controlMass = 0.0001

/** The key of the control mass in a response of the public service. */
export const ctxControlKey = "1.0E-4"
