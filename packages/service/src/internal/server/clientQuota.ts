/**
 * Counts the users of a shared resource, e.g. requests in flight, with a limit for each client below the limit of all. So one
 * client cannot take every place.
 */
import { isIPv6 } from "node:net"

/** The places of a resource, and their users by client. A client is a key, or the address of a client without a key. */
export class ClientQuota {
  private readonly limit: number
  private readonly perClient: number
  private readonly byClient = new Map<string, number>()
  private total = 0

  constructor(limit: number, perClient: number) {
    this.limit = limit
    this.perClient = perClient
  }

  /** Adds a user, or returns the limit that prevents it. */
  enter(client: string, perClient: number = this.perClient): "client" | "all" | undefined {
    if (this.total >= this.limit) return "all"
    const count = this.byClient.get(client) ?? 0
    if (count >= perClient) return "client"
    this.byClient.set(client, count + 1)
    this.total++
    return undefined
  }

  /** Removes a user, or several. */
  leave(client: string, users = 1): void {
    if (users === 0) return
    const count = (this.byClient.get(client) ?? 0) - users
    if (count > 0) this.byClient.set(client, count)
    else this.byClient.delete(client)
    this.total -= users
  }
}

/** Returns the limit of one client: the limit of all, divided, so that one client does not lock out the others. At least 8. */
export const shareOf = (limit: number, divisor: number): number =>
  Math.min(limit, Math.max(8, Math.floor(limit / divisor)))

/**
 * Returns the client of an address: the address itself, and for IPv6 its network of 64 bits, because one machine has
 * all addresses of such a network.
 */
export const clientOf = (address: string | undefined): string => {
  if (address === undefined) return ""
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "")
  if (!isIPv6(plain)) return plain
  const [head = "", tail] = plain.split("%", 1)[0]?.split("::") ?? []
  const groups = head === "" ? [] : head.split(":")
  const rest = tail === undefined || tail === "" ? [] : tail.split(":")
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length
  return [...groups, ...Array<string>(zeros).fill("0"), ...rest].slice(0, 4).join(":")
}
