/**
 * Whether a process grows: its heap after a collection, its resident memory and its handles, sampled while it works.
 */
import { setTimeout } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** What a process holds at a time. */
export interface Sample {
  /** Bytes of the heap and of buffers after a collection, in MiB. */
  readonly heap: number
  /** Resident memory, in MiB. */
  readonly resident: number
  /** Sockets, servers, timers and files that are open. */
  readonly handles: number
}

/** The medians of the first and the last third of the samples, without the first fifth, in which things warm up. */
export interface Growth {
  readonly samples: number
  readonly first: Sample
  readonly last: Sample
}

/** Takes samples of this process. */
export interface Growing {
  readonly sample: () => Sample
  readonly result: () => Growth
}

/** How long what is closing is waited for. */
const closing = { rounds: 200, everyMillis: 25 }

/** The collector of this process. */
const collect = (() => {
  setFlagsFromString("--expose-gc")
  return runInNewContext("gc") as () => void
})()

/** A sample of this process. */
export const sample = (): Sample => {
  collect()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return {
    heap: mebibytes(heapUsed + arrayBuffers),
    resident: mebibytes(process.memoryUsage.rss()),
    handles: process.getActiveResourcesInfo().length
  }
}

/** How many handles are open beyond so many, once those that are closing have closed. */
export const leaked = async (before: number): Promise<number> => {
  const left = (): number => process.getActiveResourcesInfo().length - before
  for (let round = 0; left() > 0 && round < closing.rounds; round++) await setTimeout(closing.everyMillis)
  return Math.max(0, left())
}

/** Begins to follow this process. */
export const make = (): Growing => {
  const samples: Array<Sample> = []
  return {
    sample: () => {
      const taken = sample()
      samples.push(taken)
      return taken
    },
    result: () => of(samples)
  }
}

/** The growth that samples show. */
export const of = (samples: ReadonlyArray<Sample>): Growth => {
  const warm = samples.slice(Math.floor(samples.length / 5))
  const third = Math.max(1, Math.floor(warm.length / 3))
  return { samples: samples.length, first: medians(warm.slice(0, third)), last: medians(warm.slice(-third)) }
}

const medians = (samples: ReadonlyArray<Sample>): Sample => ({
  heap: median(samples.map(({ heap }) => heap)),
  resident: median(samples.map(({ resident }) => resident)),
  handles: median(samples.map(({ handles }) => handles))
})

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

const mebibytes = (bytes: number): number => Math.round((bytes / 2 ** 20) * 10) / 10
