/**
 * Runs a transform stream of Node step by step: one input at a time, and its whole output before the next input. So
 * memory holds one piece, however far an input expands.
 */
import type { Transform } from "node:stream"
import * as Effect from "effect/Effect"

/** Runs one transform stream. `next` fails with its errors. */
export class StepwiseTransform {
  private readonly stream: Transform
  private busy = false
  private closing = false
  private failure: { readonly cause: unknown } | undefined
  /** Whether an event came since the last check. Without it, an event between check and wait would be lost. */
  private hasNewEvent = false
  private waiting: (() => void) | undefined
  /** Whether the last output has come, perhaps before the input ended. */
  ended = false

  constructor(stream: Transform) {
    this.stream = stream
    stream.on("readable", () => this.wake())
    stream.on("end", () => {
      this.ended = true
      this.wake()
    })
    stream.on("error", (cause) => {
      this.failure = { cause }
      this.wake()
    })
  }

  /** Writes an input, after `next` returned undefined. */
  write(bytes: Uint8Array): void {
    this.busy = true
    this.stream.write(bytes, (error) => {
      // After a failed write comes its error event.
      if (error != null) return
      this.busy = false
      this.wake()
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

  /** Returns the next output. Undefined: the last input is consumed. After `end`, undefined: all output is read. */
  readonly next: Effect.Effect<Uint8Array | undefined, unknown> = Effect.suspend(() => {
    const state = this.state()
    if (state === "waiting") return Effect.flatMap(this.nextEvent, () => this.next)
    if (state === "failed") return Effect.fail(this.failure?.cause)
    return Effect.succeed(state)
  })

  private readonly nextEvent: Effect.Effect<void> = Effect.callback<void>((resume) => {
    if (this.hasNewEvent) return resume(Effect.void)
    this.waiting = () => resume(Effect.void)
  })

  private wake(): void {
    this.hasNewEvent = true
    const { waiting } = this
    this.waiting = undefined
    waiting?.()
  }

  private state(): Uint8Array | "waiting" | "failed" | undefined {
    this.hasNewEvent = false
    // Reads first, because that continues the stream and keeps the output before an error.
    const bytes = this.stream.read() as Uint8Array | null
    if (bytes !== null) return bytes
    if (this.failure !== undefined) return "failed"
    if (this.ended || (!this.busy && !this.closing)) return undefined
    return "waiting"
  }
}
