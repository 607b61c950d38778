/** The reasons why the workers of a harvest wait for the service, as its status has them. */

export const unavailable = "the service is unavailable: waiting for it"

const throttled = "the service asks to wait until "

/** The service asks to wait until a time, in milliseconds since 1970. */
export const until = (end: number): string =>
  `${throttled}${new Date(end).toISOString().replace(/\.\d+Z$/, "Z")}`

/** Whether a reason is one of them. */
export const isServiceAwaited = (reason: string | undefined): boolean =>
  reason === unavailable || reason?.startsWith(throttled) === true
