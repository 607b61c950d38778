/** Replaces Node's resolver while late names exist. */
import dns, { type LookupAddress, type LookupOptions } from "node:dns"

type Answered = (
  error: NodeJS.ErrnoException | null,
  address?: string | ReadonlyArray<LookupAddress>,
  family?: number
) => void

const loopback: LookupAddress = { address: "127.0.0.1", family: 4 }

/** The time from which each name resolves, on the clock of `performance`. */
const names = new Map<string, number>()

const system = dns.lookup

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
  if (names.size === 0) dns.lookup = system
}

const lookup = (name: string, ...rest: [Answered] | [LookupOptions | number, Answered]): void => {
  const from = names.get(name)
  if (from === undefined) return void (system as (...all: ReadonlyArray<unknown>) => void)(name, ...rest)
  const answered = rest.at(-1) as Answered
  const isAll = typeof rest[0] === "object" && rest[0].all === true
  setImmediate(() => {
    if (performance.now() < from) answered(unresolved(name))
    else if (isAll) answered(null, [loopback])
    else answered(null, loopback.address, loopback.family)
  })
}

/** The error of a resolver without network. */
const unresolved = (hostname: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`getaddrinfo EAI_AGAIN ${hostname}`), {
    code: "EAI_AGAIN",
    syscall: "getaddrinfo",
    hostname
  })
