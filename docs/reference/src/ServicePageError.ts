// The error of a service page that does not match the contract.

/** A part of the page is missing, or names an unknown record, group or meaning. */
export class ServicePageError extends Error {
  override readonly name = "ServicePageError"
}
