/** Detects growth of a process: heap after garbage collection, resident memory and handles, sampled while it works. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { openHandles } from "./ProcessLeaks.ts"

/** One measurement of a process. */
export interface Sample {
  /** The heap and buffers after garbage collection, in MiB. */
  readonly heap: number
  /** Resident memory in MiB. */
  readonly resident: number
  /** Open sockets, servers, timers and files. */
  readonly handles: number
}

/** The medians of the first and the last third of the samples. The first fifth is warm-up and does not count. */
export interface Growth {
  readonly samples: number
  readonly first: Sample
  readonly last: Sample
}

/** Records samples of a process. */
export interface GrowthRecorder {
  readonly add: (sample: Sample) => Sample
  readonly result: () => Growth
}

/** Forces a garbage collection of this process. */
const collect = (() => {
  setFlagsFromString("--expose-gc")
  return runInNewContext("gc") as () => void
})()

/** Measures this process. */
export const sample = (): Sample => {
  collect()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return {
    heap: mebibytes(heapUsed + arrayBuffers),
    resident: mebibytes(process.memoryUsage.rss()),
    handles: openHandles()
  }
}

/** Starts to record samples of a process. */
export const makeRecorder = (): GrowthRecorder => {
  const samples: Array<Sample> = []
  return {
    add: (sample) => {
      samples.push(sample)
      return sample
    },
    result: () => of(samples)
  }
}

const of = (samples: ReadonlyArray<Sample>): Growth => {
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
