/**
 * Runs the clients in a process with little memory. In a process with the packages, garbage collection of dropped responses would delay
 * requests.
 */
import * as child from "./child.ts"
import * as load from "./load.ts"

/** The message from the parent: requests to run, and a number for the reply. */
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
