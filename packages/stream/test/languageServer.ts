/** The language server of TypeScript, as an editor starts it: what it shows at a place of a program. */
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

/** A running server. */
export interface LanguageServer {
  /** Opens a program in this folder. Its imports are resolved from there. It is not written to a file. */
  readonly open: (text: string) => void
  /** Returns what is shown at the last letter of the first occurrence of this part of the program. */
  readonly hover: (part: string) => Promise<string>
  readonly stop: () => void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly items?: ReadonlyArray<unknown> }
  readonly result?: { readonly contents?: { readonly value?: string } } | null
}

/** Starts the server for programs in a folder. */
export const start = async (folder: string): Promise<LanguageServer> => {
  const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"))
  const server = spawn(process.execPath, [join(typescript, "bin/tsc"), "--lsp", "--stdio"], {
    stdio: ["pipe", "pipe", "ignore"]
  })
  const waiting = new Map<number, (message: Message) => void>()
  const uri = pathToFileURL(join(folder, "opened.ts")).href
  let program = ""
  let received: Buffer = Buffer.alloc(0)
  let last = 0

  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  const request = (method: string, params: object): Promise<Message> =>
    new Promise((resolve) => {
      last += 1
      waiting.set(last, resolve)
      send({ id: last, method, params })
    })
  const receive = (message: Message): void => {
    if (message.id === undefined) return
    // The server asks for settings: it has none.
    if (message.method !== undefined)
      send({ id: message.id, result: message.params?.items?.map(() => null) ?? null })
    else waiting.get(message.id)?.(message)
  }
  server.stdout.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const end = received.indexOf("\r\n\r\n")
      const length = Number(/Content-Length: (\d+)/.exec(received.subarray(0, end).toString())?.[1])
      if (end < 0 || received.length < end + 4 + length) return
      receive(JSON.parse(received.subarray(end + 4, end + 4 + length).toString()))
      received = received.subarray(end + 4 + length)
    }
  })

  const textDocument = { hover: { contentFormat: ["markdown"] } }
  await request("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: { textDocument }
  })
  send({ method: "initialized", params: {} })
  return {
    open: (text) => {
      program = text
      send({
        method: "textDocument/didOpen",
        params: { textDocument: { uri, languageId: "typescript", version: 1, text } }
      })
    },
    hover: async (part) => {
      if (!program.includes(part)) throw new Error(`the program has no ${part}`)
      const before = program.slice(0, program.indexOf(part) + part.length - 1).split("\n")
      const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
      const { result } = await request("textDocument/hover", { textDocument: { uri }, position })
      return result?.contents?.value ?? ""
    },
    stop: () => server.kill()
  }
}
