/** Draws plots with `plotWorker`, which starts with the first plot and stays for further ones. */
import { Effect } from "effect"
import { baseUrl } from "../connection.ts"
import type { Failure } from "../Failure.ts"
import type { Request } from "./plotWorker.ts"

let worker: Worker | undefined

/** What the worker replies. Null: it cannot draw the records. */
type Reply = string | null

/** Draws a plot as SVG. */
export const draw = (...request: Request): Effect.Effect<string, Failure> =>
  Effect.callback((resume) => {
    worker ??= new Worker(`${baseUrl}/explorer/plotWorker.js`, { type: "module" })
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }: MessageEvent<Reply>) => {
      port1.close()
      resume(data === null ? failure("These records cannot be drawn") : Effect.succeed(data))
    }
    worker.onerror = () => {
      worker = undefined
      resume(failure("The code for plots cannot be loaded. Load the page again"))
    }
    worker.postMessage(request, [port2])
  })

const failure = (message: string): Effect.Effect<never, Failure> => Effect.fail({ message })
