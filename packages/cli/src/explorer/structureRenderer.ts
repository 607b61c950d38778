/**
 * Draws structures and computes their values on threads, because RDKit may need seconds for one.
 *
 * Results are cached, also refusals. `structureThread` is the program of the threads; `ThreadPool` of the service divides them fairly
 * among the keys of the requests.
 */
import { extname } from "node:path"
import { ThreadPool } from "@chemstream/service"
import { Effect, type Scope } from "effect"

/** The forms: a picture, or a value as text. */
export const forms = ["svg", "inchi", "inchikey", "mass"] as const

export type Form = (typeof forms)[number]

/** The text of a structure, or the reason why there is none. */
export type Rendered = { readonly text: string } | { readonly refusal: string }

/** Renders a structure in a form. */
export type Render = (structure: string, form: Form) => Effect.Effect<Rendered>

/** The number of threads. */
export const threads = 2

/** The longest time for one structure, with the start of its thread. */
export const jobTimeout = "30 seconds"

/** The largest size of the cache, in characters. */
export const maxCacheSize = 16 * 2 ** 20

/** The memory of each thread, in MiB. RDKit has its own memory besides. */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 }

const program = new URL(`./structureThread${extname(import.meta.url)}`, import.meta.url)

/** Makes a renderer. Its threads start with the first structure, and end with the scope. */
export const make: Effect.Effect<Render, never, Scope.Scope> = Effect.map(
  ThreadPool.make({ program, threads, resourceLimits, jobTimeout }),
  (run): Render => {
    const cache = new Map<string, Rendered>()
    let size = 0
    const sizeOf = (name: string, rendered: Rendered): number =>
      name.length + ("text" in rendered ? rendered.text : rendered.refusal).length
    const remember = (name: string, rendered: Rendered): void => {
      cache.set(name, rendered)
      size += sizeOf(name, rendered)
      for (const [oldest, value] of cache) {
        if (size <= maxCacheSize) break
        cache.delete(oldest)
        size -= sizeOf(oldest, value)
      }
    }
    return (structure, form) => {
      const name = `${form} ${structure}`
      const cached = cache.get(name)
      if (cached !== undefined) return Effect.succeed(cached)
      return run("render", [structure, form]).pipe(
        Effect.map((result) => result as Rendered),
        Effect.catchIf(
          ({ reason }) => reason === "timeout" || reason === "ended",
          () => Effect.succeed<Rendered>({ refusal: "the structure is too complex to compute" })
        ),
        Effect.orDie,
        Effect.tap((rendered) => Effect.sync(() => (cache.has(name) ? undefined : remember(name, rendered))))
      )
    }
  }
)
