/** Replaces Node's resolver while late names exist. */
import dns, { type LookupAddress, type LookupOptions } from "node:dns"

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address?: string | ReadonlyArray<LookupAddress>,
  family?: number
) => void

const loopback: LookupAddress = { address: "127.0.0.1", family: 4 }

/** The time from which each name resolves, on the clock of `performance`. */
const names = new Map<string, number>()

const systemLookup = dns.lookup

let count = 0

/** Adds a name that does not resolve for this many milliseconds. */
export const add = (forMillis: number): string => {
  // Names below `.invalid` never exist (RFC 2606, section 2).
  const name = `late-${++count}.invalid`
  names.set(name, performance.now() + forMillis)
  dns.lookup = lookup as typeof dns.lookup
  return name
}

/** Removes a name. The last removal restores the system's resolver. */
export const remove = (name: string): void => {
  names.delete(name)
  if (names.size === 0) dns.lookup = systemLookup
}

const lookup = (name: string, ...rest: [LookupCallback] | [LookupOptions | number, LookupCallback]): void => {
  const resolvesAt = names.get(name)
  if (resolvesAt === undefined)
    return void (systemLookup as (...all: ReadonlyArray<unknown>) => void)(name, ...rest)
  const callback = rest.at(-1) as LookupCallback
  const isAll = typeof rest[0] === "object" && rest[0].all === true
  setImmediate(() => {
    if (performance.now() < resolvesAt) callback(unresolvedError(name))
    else if (isAll) callback(null, [loopback])
    else callback(null, loopback.address, loopback.family)
  })
}

/** The error of a resolver without network. */
const unresolvedError = (hostname: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`getaddrinfo EAI_AGAIN ${hostname}`), {
    code: "EAI_AGAIN",
    syscall: "getaddrinfo",
    hostname
  })
