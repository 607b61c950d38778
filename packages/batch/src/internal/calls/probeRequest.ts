/** Chooses the request that probes the service of a run: one that has got a response before. */
import { Effect } from "effect"

type Request = Effect.Effect<unknown, unknown, unknown>

/**
 * The request that tells whether the service is available: one that has got a response before, or else one for a key of
 * any open batch, because all keys of one may be bad.
 */
export class ProbeRequest {
  /** The request that has got a response. Undefined: none has yet. */
  probe: Request | undefined
  private hasFound = false
  private readonly open = new Set<() => ReadonlyArray<Request>>()

  /** Runs an effect while a batch is open: the probe may be for one of its keys. */
  whileOpen<A, E, R>(
    batch: () => ReadonlyArray<Request>,
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      Effect.sync(() => this.open.add(batch)),
      () => effect,
      () => Effect.sync(() => this.open.delete(batch))
    )
  }

  /** A key that was found makes the better probe, but a missing one has got a response, too. */
  record(request: Request, isFound: boolean): void {
    if (this.probe === undefined || (isFound && !this.hasFound)) this.probe = request
    this.hasFound ||= isFound
  }

  /** Returns the probe, or else a request that becomes the probe when it succeeds. */
  at(index: number): Request {
    if (this.probe !== undefined) return this.probe
    const requests = [...this.open].flatMap((batch) => batch())
    const request = requests[Math.floor(((index * goldenRatio) % 1) * requests.length)] as Request
    return Effect.tap(request, () => Effect.sync(() => this.record(request, false)))
  }
}

/** Multiples of it, without their whole part, are spread evenly from 0 to 1. */
const goldenRatio = 0.618
