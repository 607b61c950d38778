// The lower bound: copies the bodies without parsing, 4 requests in flight. `node bareCopy.mjs URL FILE > out`
import { readFileSync } from "node:fs"
import { Agent, request } from "node:http"

const [url, file] = process.argv.slice(2)
const size = 1000
const inFlight = 4

const ids = readFileSync(file, "utf8").split("\n").filter(Boolean)
const agent = new Agent({ keepAlive: true })
const headers = { "content-type": "application/json", accept: "application/json", "x-api-key": "benchmark" }

const copy = (start) =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}/chemical/detail/search/by-dtxsid/`, { method: "POST", agent, headers })
    sent.on("error", reject)
    sent.on("response", (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`))
      response.on("data", (chunk) => {
        if (!process.stdout.write(chunk)) {
          response.pause()
          process.stdout.once("drain", () => response.resume())
        }
      })
      response.on("end", resolve)
      response.on("error", reject)
    })
    sent.end(JSON.stringify(ids.slice(start, start + size)))
  })

let next = 0
const worker = async () => {
  while (next < ids.length) {
    next += size
    await copy(next - size)
  }
}
await Promise.all(Array.from({ length: inFlight }, worker))
agent.destroy()
