/** Draws plots on a thread of its own, so that the page stays responsive. `drawPlot` starts it. */
import * as Plot from "@chemstream/figures/Plot"
import { Effect } from "effect"

/** The plots, with their arguments. */
export type Request =
  | readonly [plot: "hitCalls", ...Parameters<typeof Plot.hitCalls>]
  | readonly [plot: "curve", ...Parameters<typeof Plot.curve>]

const draw = (request: Request): Effect.Effect<string> => {
  switch (request[0]) {
    case "hitCalls":
      return Plot.hitCalls(request[1], request[2])
    case "curve":
      return Plot.curve(request[1], request[2])
  }
}

addEventListener("message", async ({ data, ports: [reply] }: MessageEvent<Request>) => {
  reply?.postMessage(await Effect.runPromise(Effect.catchCause(draw(data), () => Effect.succeed(null))))
})
