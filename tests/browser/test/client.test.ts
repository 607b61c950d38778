import { createServer } from "node:http"
import { isBuiltin } from "node:module"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { createContext, runInContext } from "node:vm"
import { build, type Plugin } from "vite"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const entry = fileURLToPath(import.meta.resolve("@chemstream/client"))

/** The globals of a page, without those of Node (`process`, `Buffer`, `require`). */
const webGlobals = [
  ...["AbortController", "AbortSignal", "Blob", "DecompressionStream", "Event", "EventTarget", "Headers"],
  ...["ReadableStream", "Request", "Response", "TextDecoder", "TextEncoder", "URL", "URLSearchParams"],
  ...["clearInterval", "clearTimeout", "console", "crypto", "fetch", "performance", "queueMicrotask"],
  ...["setInterval", "setTimeout"]
] as const

/** Bundles an entry for browsers, as one script that sets `bundled`. Returns the modules of Node that it would need. */
const bundle = async (
  file: string
): Promise<{ readonly code: string; readonly builtins: ReadonlyArray<string> }> => {
  const builtins: Array<string> = []
  const noteBuiltins: Plugin = {
    name: "note-builtins",
    enforce: "pre",
    resolveId: (specifier, importer) => {
      if (isBuiltin(specifier)) builtins.push(`${importer} imports ${specifier}`)
    }
  }
  const output = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [noteBuiltins],
    build: {
      write: false,
      minify: false,
      lib: { entry: file, formats: ["iife"], name: "bundled", fileName: "bundled" }
    }
  })
  const [made] = [output].flat()
  const chunk = made !== undefined && "output" in made ? made.output[0] : undefined
  return { code: chunk?.code ?? "", builtins }
}

describe("the client in a browser", () => {
  let code = ""
  let builtins: ReadonlyArray<string> = []
  const requests: Array<string | undefined> = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers["x-api-key"]}`)
    response.writeHead(200, { "content-type": "application/json" }).end('{"dtxsid":"DTXSID7020182","ours":1}')
  })

  beforeAll(async () => {
    ;({ code, builtins } = await bundle(entry))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  }, 60_000)

  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })

  it("needs no module of Node", () => {
    expect(builtins).toEqual([])
    expect(code.length).toBeGreaterThan(0)
  })

  it("is reported if it needs a module of Node", async () => {
    const { builtins } = await bundle(fileURLToPath(import.meta.url))
    expect(builtins.join("\n")).toMatch(/client\.test\.ts imports node:http/)
  })

  it.each([
    ["with", true],
    ["without", false]
  ])("makes a call with only the globals of a page, %s permission to compile code", async (_, strings) => {
    const globals = Object.fromEntries(webGlobals.map((name) => [name, globalThis[name]]))
    const page = createContext(globals, { codeGeneration: { strings, wasm: false } })
    runInContext(`${code}\nglobalThis.bundled = bundled`, page)
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const use = `(async () => {
      const client = await bundled.createClient({ baseUrl: ${JSON.stringify(baseUrl)}, apiKey: "a-key" })
      const record = await client.details.byDtxsid("DTXSID7020182", { projection: "compact" })
      await client.close()
      return JSON.stringify([record, typeof process, typeof Buffer])
    })()`
    const [record, ...types] = JSON.parse(await runInContext(use, page))
    expect(record).toEqual({ dtxsid: "DTXSID7020182", ours: 1 })
    expect(types).toEqual(["undefined", "undefined"])
    expect(requests.at(-1)).toBe(
      "GET /chemical/detail/search/by-dtxsid/DTXSID7020182?projection=compact a-key"
    )
  })
})
