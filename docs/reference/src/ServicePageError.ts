// The error of a page that the contract has outgrown.

/** A part names a record, a group or a meaning that this module does not know, or the page lacks a part. */
export class ServicePageError extends Error {
  override readonly name = "ServicePageError"
}
