/** The reasons why the workers of a harvest wait for the service, as its status has them. */

/** The service is unavailable. */
export const unavailable = "the service is unavailable: waiting for it"

/** The service asks to wait. */
export const throttled = "the service asks to wait: waiting as long as it asks"

/** Whether a reason is one of them. */
export const isServiceAwaited = (reason: string | undefined): boolean =>
  reason === unavailable || reason === throttled
