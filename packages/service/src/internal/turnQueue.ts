/** A queue in which clients take turns: a client with many entries does not delay the entries of others. */
export class TurnQueue<A> {
  private readonly clients = new Map<string, Set<A>>()

  /** Whether no entry is pending. */
  get isEmpty(): boolean {
    return this.clients.size === 0
  }

  /** Adds an entry of a client. Returns a function that removes it, if it is still pending. */
  add(client: string, entry: A): () => void {
    const entries = this.clients.get(client) ?? new Set<A>()
    entries.add(entry)
    this.clients.set(client, entries)
    return () => {
      if (entries.delete(entry) && entries.size === 0) this.clients.delete(client)
    }
  }

  /** Takes the oldest entry of the client whose turn it is, among clients that `isAllowed` accepts. */
  take(isAllowed: (client: string) => boolean = () => true): A | undefined {
    for (const [client, entries] of this.clients) {
      if (!isAllowed(client)) continue
      const entry = entries.values().next().value as A
      entries.delete(entry)
      this.clients.delete(client)
      // Behind the others.
      if (entries.size > 0) this.clients.set(client, entries)
      return entry
    }
    return undefined
  }
}
