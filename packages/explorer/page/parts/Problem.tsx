/** Shows a failed request and the reason. */
import type { Failure } from "../connection.ts"

/** A failure, announced. */
export const Problem = ({ failure }: { readonly failure: Failure }) => (
  <p class="problem" role="alert">
    {failure.message}
  </p>
)
