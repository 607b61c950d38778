/**
 * Clients in a process of their own, which has next to nothing in its memory: in a process with the packages in it V8
 * marks 30 MiB for each 64 of answers that are dropped, so that a request waits up to 50 ms for its own client.
 */
import * as child from "./child.ts"
import * as load from "./load.ts"

/** What the parent asks for: requests to be run, and a number that the answer bears. */
export interface Order {
  readonly id: number
  readonly requests: ReadonlyArray<load.Request>
  readonly clients: number
}

/** The message to the parent: the durations of a run. */
export interface Done {
  readonly id: number
  readonly run: load.Run
}

const { key, url } = child.options<{ readonly url: string; readonly key: string }>()
const client = load.client(url, key)

process.on("message", async ({ clients, id, requests }: Order) => {
  const done: Done = { id, run: await client.run(requests, clients) }
  process.send?.(done)
})
process.send?.("ready")
