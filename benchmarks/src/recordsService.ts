/**
 * Runs the service of precomputed responses as a process.
 */
import * as child from "./child.ts"
import type { Options } from "./recordsProcess.ts"

/** Starts the service, uses its URL, and stops it. */
export const withRecordsService = async <A>(
  options: Options,
  use: (url: string) => Promise<A>
): Promise<A> => {
  const { child: server, first: url } = await child.start<string>("./recordsProcess.ts", options)
  try {
    return await use(url)
  } finally {
    await child.stop(server)
  }
}
