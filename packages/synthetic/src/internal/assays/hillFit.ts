/**
 * Fits a Hill curve to concentration-response points, and computes the continuous hit call of the fit.
 *
 * The curve is y(c) = top / (1 + (ac50 / c)^p). The fit is a least-squares search over a grid of ac50 (20 steps per
 * decade) and p; the best top for each grid point is exact, positive or negative.
 *
 * The hit call follows tcplfit2 (Sheffield et al., Bioinformatics 2022, 38, 1157). It is the product of three
 * probabilities: the curve is better than a constant, a response is above the cutoff, and the top is above the
 * cutoff. tcplfit2 uses exact likelihoods; this module uses normal approximations.
 */
import { exp, exp10, ln, normalCdf } from "../numbers/exactMath.ts"

/** The result of a fit. Concentrations are in µM. */
export interface HillFit {
  readonly top: number
  readonly ac50: number
  readonly power: number
  /** The root mean square of the residuals. */
  readonly rmse: number
  /** Akaike's information criterion of the curve and of the constant 0. */
  readonly aic: number
  readonly constantAic: number
  readonly constantRmse: number
  /** Akaike weight of the constant against the curve. */
  readonly constantWeight: number
  /** From 0 to 1. Active from 0.9. */
  readonly hitCall: number
}

/** Returns the response at the concentration `logc`, in log10 µM. */
export const hill = (logc: number, top: number, logAc50: number, power: number): number =>
  top / (1 + exp10((logAc50 - logc) * power))

const powers = [0.5, 0.8, 1, 1.3, 1.8, 2.5, 4]

const stepsOfDecade = 20

/** Returns a function that fits curves to responses at fixed concentrations: log10 µM, ascending. */
export const makeFitter = (
  logc: ReadonlyArray<number>
): ((responses: ReadonlyArray<number>, cutoff: number) => HillFit) => {
  const grid = gridOf(logc)
  const points = logc.length
  return (responses, cutoff) => {
    let squares = 0
    for (const response of responses) squares += response * response
    let best = grid[0] as GridPoint
    let bestTop = 0
    let bestGain = -1
    for (const candidate of grid) {
      let product = 0
      for (let n = 0; n < points; n++) product += (candidate.shape[n] as number) * (responses[n] as number)
      // With the best top, the sum of squares of the residuals is `squares` minus this.
      const gain = (product * product) / candidate.squares
      if (gain > bestGain) {
        bestGain = gain
        best = candidate
        bestTop = product / candidate.squares
      }
    }
    const residual = Math.max(squares - bestGain, 1e-9)
    const rmse = Math.sqrt(residual / points)
    const constantRmse = Math.sqrt(Math.max(squares, 1e-9) / points)
    // 4 parameters of the curve (top, ac50, power, deviation), 1 of the constant (deviation).
    const aic = 2 * points * ln(rmse) + 8
    const constantAic = 2 * points * ln(constantRmse) + 2
    const constantWeight = 1 / (1 + exp((constantAic - aic) / 2))
    let noneAbove = 1
    for (const response of responses) noneAbove *= normalCdf((cutoff - Math.abs(response)) / rmse)
    const topDeviation = rmse / Math.sqrt(best.squares)
    const topAbove = normalCdf((Math.abs(bestTop) - cutoff) / topDeviation)
    return {
      top: bestTop,
      ac50: best.ac50,
      power: best.power,
      rmse,
      aic,
      constantAic,
      constantRmse,
      constantWeight,
      hitCall: Math.min(1, Math.max(0, (1 - constantWeight) * (1 - noneAbove) * topAbove))
    }
  }
}

interface GridPoint {
  readonly ac50: number
  readonly power: number
  /** The curve with top 1 at each concentration. */
  readonly shape: ReadonlyArray<number>
  readonly squares: number
}

// From one decade below the concentrations to half a decade above them.
const gridOf = (logc: ReadonlyArray<number>): ReadonlyArray<GridPoint> => {
  const grid: Array<GridPoint> = []
  const lowest = Math.min(...logc) - 1
  const steps = Math.ceil((Math.max(...logc) + 0.5 - lowest) * stepsOfDecade)
  for (let step = 0; step <= steps; step++) {
    const logAc50 = lowest + step / stepsOfDecade
    for (const power of powers) {
      const shape = logc.map((at) => hill(at, 1, logAc50, power))
      const squares = shape.reduce((sum, value) => sum + value * value, 0)
      grid.push({ ac50: exp10(logAc50), power, shape, squares })
    }
  }
  return grid
}
