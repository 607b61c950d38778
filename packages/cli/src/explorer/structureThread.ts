/** The program of a structure thread: draws structures and computes their values with RDKit. `structureRenderer` starts it. */
import { parentPort } from "node:worker_threads"
// Not the whole package: a thread needs no plots.
import * as Properties from "@chemstream/figures/Properties"
import * as Structure from "@chemstream/figures/Structure"
import type { ThreadPool } from "@chemstream/service"
import { Effect, Result } from "effect"
import type { Form } from "./structureRenderer.ts"

const isInchi = (text: string): boolean => text.trimStart().startsWith("InChI=")

const render = (text: string, form: Form): Effect.Effect<string, Structure.UnreadableStructure> => {
  switch (form) {
    case "svg":
      return Structure.toSvg(text, { palette: "elements" })
    case "mass":
      return Effect.map(Properties.mass(text), String)
    case "inchi":
      return Properties.inchi(text)
    case "inchikey":
      return Properties.inchikey(text)
  }
}

/** The key of an InChI needs no structure. Everything else has the limit of atoms of a drawing. */
const limited = (text: string, form: Form): Effect.Effect<string, Structure.UnreadableStructure> =>
  form === "inchikey" && isInchi(text)
    ? render(text, form)
    : Effect.andThen(
        Effect.catchIf(
          Structure.check(text),
          ({ reason }) => reason !== "too-large",
          () => Effect.void
        ),
        render(text, form)
      )

const port = parentPort
port?.on("message", async ({ args }: ThreadPool.Request) => {
  const [text, form] = args as readonly [string, Form]
  const result = await Effect.runPromise(Effect.result(limited(text, form)))
  const reply: ThreadPool.Reply = {
    result: Result.match(result, {
      onSuccess: (value) => ({ text: value }),
      onFailure: ({ message }) => ({ refusal: message })
    })
  }
  port.postMessage(reply)
})
