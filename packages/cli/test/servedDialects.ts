/**
 * Starts `serve` in either dialect, and a gateway in front of services of both.
 */
import { once } from "node:events"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { cleanUp, run, serve } from "./process.ts"
import { lines } from "./scripted.ts"

export type Dialect = "specification" | "ctx"

export const dialects: ReadonlyArray<Dialect> = ["specification", "ctx"]

/** The requests so far, from the log of a service. */
const answered = (log: string): ReadonlyArray<{ readonly path: string; readonly status: number }> =>
  lines(log.match(/^\{.*"requestId".*\}$/gm)?.join("\n") ?? "") as never

/** A service in a dialect, and runs of the command against it, with the requests of each. */
export const serving = async (dialect: Dialect, ...args: ReadonlyArray<string>) => {
  const { env, service, url } = await serve("--dialect", dialect, ...args)
  let before = 0
  return {
    url,
    env,
    ask: async (args: ReadonlyArray<string>, as: Dialect = dialect) => {
      const ended = await run(args, { env: { ...env, CHEMSTREAM_DIALECT: as } })
      // The line of the last request comes after all others.
      await fetch(`${url}/health`, { headers: { "x-request-id": `${before}-${args[0]}` } })
      await service.says(new RegExp(`"requestId":"${before}-${args[0]}"`))
      const all = answered(service.stderr())
      const requests = all.slice(before, -1)
      before = all.length
      return { ...ended, requests, records: lines(ended.stdout) }
    }
  }
}

/** The address of a gateway that sends each request to one of these addresses, in a sequence from the seed. */
export const gateway = async (seed: number, urls: readonly [string, string]): Promise<string> => {
  let state = seed
  const server = createServer((received, response) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const to = new URL(received.url ?? "/", state < 2 ** 31 ? urls[0] : urls[1])
    const headers = { ...received.headers, host: to.host, connection: "close" }
    const sent = request(to, { method: received.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { "content-type": answer.headers["content-type"] ?? "" })
      answer.pipe(response)
    })
    received.pipe(sent)
  }).listen(0, "127.0.0.1")
  cleanUp(() => server.close())
  await once(server, "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
