/** The states of a part of the page without content: empty, loading, failed. */
import type { ComponentChildren } from "preact"
import type { Failure } from "../Failure.ts"

/** Nothing is here, and why. */
export const Empty = ({
  children,
  title
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) => (
  <div class="empty">
    <strong>{title}</strong>
    {children}
  </div>
)

/** A request is in flight. */
export const Loading = ({ what = "Loading" }: { readonly what?: string }) => (
  <div class="loading" role="status">
    {what}…
  </div>
)

/** A failure, announced, with a button to try again if that may help. */
export const Problem = ({ failure, retry }: { readonly failure: Failure; readonly retry?: () => void }) => (
  <div class="problem" role="alert">
    {failure.message}{" "}
    {retry === undefined || failure._tag === "NotFound" ? null : (
      <button type="button" class="quiet" onClick={retry}>
        Try again
      </button>
    )}
  </div>
)
