/** A failure, with a message for people. */
export interface Failure {
  readonly _tag?: string
  readonly message: string
}
