// Asks a language server for hover texts and completions (Language Server Protocol over standard input and output).

import { spawn } from "node:child_process"

/** A language server with one open file. */
export interface LanguageServer {
  /** Returns the hover text at a place of the file. */
  readonly hover: (offset: number) => Promise<string>
  /** Returns the names that complete the place. */
  readonly completions: (offset: number) => Promise<ReadonlyArray<string>>
  readonly stop: () => void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
}

/** Starts a server, and opens a file with a text. */
export const start = async (
  command: string,
  { folder, text, uri }: { readonly folder: string; readonly uri: string; readonly text: string }
): Promise<LanguageServer> => {
  const server = spawn(command, ["--lsp", "--stdio"], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] })
  const pending = new Map<number, (result: unknown) => void>()
  let received = Buffer.alloc(0)
  let requests = 0
  const send = (message: object): void => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }))
    server.stdin.write(`Content-Length: ${body.length}\r\n\r\n`)
    server.stdin.write(body)
  }
  const onMessage = ({ id, method, result }: Message): void => {
    if (id === undefined) return
    // A request of the server, e.g. for its configuration.
    if (method !== undefined) send({ id, result: null })
    else pending.get(id)?.(result)
  }
  server.stdout.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const end = received.indexOf("\r\n\r\n")
      const length = Number(/content-length: (\d+)/i.exec(received.subarray(0, end).toString())?.[1])
      if (end === -1 || received.length < end + 4 + length) return
      onMessage(JSON.parse(received.subarray(end + 4, end + 4 + length).toString()) as Message)
      received = received.subarray(end + 4 + length)
    }
  })
  const request = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve) => {
      const id = ++requests
      pending.set(id, resolve)
      send({ id, method, params })
    })
  const positionOf = (offset: number) => {
    const lines = text.slice(0, offset).split("\n")
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
  }
  const at = (offset: number) => ({ textDocument: { uri }, position: positionOf(offset) })
  await request("initialize", {
    processId: process.pid,
    rootUri: null,
    capabilities: { textDocument: { hover: { contentFormat: ["plaintext"] } } }
  })
  send({ method: "initialized", params: {} })
  send({
    method: "textDocument/didOpen",
    params: { textDocument: { uri, languageId: "typescript", version: 1, text } }
  })
  return {
    hover: async (offset) => JSON.stringify(await request("textDocument/hover", at(offset))),
    completions: async (offset) => {
      const result = (await request("textDocument/completion", at(offset))) as {
        readonly items: ReadonlyArray<{ readonly label: string }>
      }
      return result.items.map(({ label }) => label)
    },
    stop: () => server.kill()
  }
}
