/**
 * A transform stream of Node as a step machine: one input at a time, its output piece by piece, and no next input before
 * the last one is used up. So neither side holds more than a piece, whatever an input expands to.
 */
import type { Transform } from "node:stream"
import * as Effect from "effect/Effect"

/** Runs one transform stream; its errors fail `next` as they are. */
export class Engine {
  private readonly stream: Transform
  private busy = false
  private closing = false
  private failure: { readonly cause: unknown } | undefined
  /** Whether something happened since the state was last looked at: the fiber may pause between that and waiting. */
  private stirred = false
  private waiting: (() => void) | undefined
  /** Whether it gave its last output, perhaps before its input ended. */
  ended = false

  constructor(stream: Transform) {
    this.stream = stream
    stream.on("readable", () => this.stir())
    stream.on("end", () => {
      this.ended = true
      this.stir()
    })
    stream.on("error", (cause) => {
      this.failure = { cause }
      this.stir()
    })
  }

  /** Gives an input; `next` has to be used up first. */
  write(bytes: Uint8Array): void {
    this.busy = true
    this.stream.write(bytes, (error) => {
      // A write that fails is followed by the event of its error.
      if (error != null) return
      this.busy = false
      this.stir()
    })
  }

  /** Ends the input. */
  end(): void {
    this.closing = true
    this.stream.end()
  }

  destroy(): void {
    this.stream.destroy()
  }

  /** The next output; undefined when the last input, or after `end` everything, has been used up. */
  readonly next: Effect.Effect<Uint8Array | undefined, unknown> = Effect.suspend(() => {
    const state = this.state()
    if (state === "waiting") return Effect.flatMap(this.woken, () => this.next)
    if (state === "failed") return Effect.fail(this.failure?.cause)
    return Effect.succeed(state)
  })

  private readonly woken: Effect.Effect<void> = Effect.callback<void>((resume) => {
    if (this.stirred) return resume(Effect.void)
    this.waiting = () => resume(Effect.void)
  })

  private stir(): void {
    this.stirred = true
    const { waiting } = this
    this.waiting = undefined
    waiting?.()
  }

  private state(): Uint8Array | "waiting" | "failed" | undefined {
    this.stirred = false
    // Reading comes first: it is what makes a stream go on, and what came before an error is kept.
    const bytes = this.stream.read() as Uint8Array | null
    if (bytes !== null) return bytes
    if (this.failure !== undefined) return "failed"
    if (this.ended || (!this.busy && !this.closing)) return undefined
    return "waiting"
  }
}
