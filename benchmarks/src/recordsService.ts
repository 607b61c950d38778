/**
 * Runs the service of precomputed responses in a process for as long as it is used.
 */
import * as child from "./child.ts"
import type { Options } from "./recordsProcess.ts"

/** Starts the service. Returns its URL. */
export const served = async <A>(options: Options, use: (url: string) => Promise<A>): Promise<A> => {
  const { child: server, first: url } = await child.start<string>("./recordsProcess.ts", options)
  try {
    return await use(url)
  } finally {
    await child.stop(server)
  }
}
