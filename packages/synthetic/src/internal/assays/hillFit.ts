/**
 * A Hill curve fitted to concentration-response points, and the continuous hit call that follows.
 *
 * The curve is y(c) = top / (1 + (ac50 / c)^p). The fit takes the least squares over a grid of ac50 (20 a decade) and
 * p, with the best top for each computed exactly; a top is positive or negative. The hit call follows tcplfit2 (Sheffield
 * et al., Bioinformatics 2022, 38, 1157): the product of the probabilities that the curve is better than none, that
 * some response is above the cutoff, and that the top is. The exact likelihoods there are normal approximations here.
 */
import { exp, exp10, ln, normalBelow } from "../numbers/arithmetic.ts"

/** The result of a fit; concentrations in µM. */
export interface HillFit {
  readonly top: number
  readonly ac50: number
  readonly power: number
  /** Root mean square of what is left of the responses. */
  readonly rmse: number
  /** Akaike's criterion of the curve and of the constant 0. */
  readonly aic: number
  readonly constantAic: number
  readonly constantRmse: number
  /** Akaike weight of the constant against the curve. */
  readonly constantWeight: number
  /** From 0 to 1; active from 0.9. */
  readonly hitCall: number
}

/** The response at a concentration of log10 `logc` µM. */
export const hill = (logc: number, top: number, logAc50: number, power: number): number =>
  top / (1 + exp10((logAc50 - logc) * power))

const powers = [0.5, 0.8, 1, 1.3, 1.8, 2.5, 4]

const stepsOfDecade = 20

/** Fits curves to points at fixed concentrations: log10 µM, ascending. */
export const fitter = (
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
      // The least squares for this shape leave `squares` less this.
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
    // The parameters count: top, ac50, power and deviation of the curve; the deviation of the constant.
    const aic = 2 * points * ln(rmse) + 8
    const constantAic = 2 * points * ln(constantRmse) + 2
    const constantWeight = 1 / (1 + exp((constantAic - aic) / 2))
    let noneAbove = 1
    for (const response of responses) noneAbove *= normalBelow((cutoff - Math.abs(response)) / rmse)
    const topDeviation = rmse / Math.sqrt(best.squares)
    const topAbove = normalBelow((Math.abs(bestTop) - cutoff) / topDeviation)
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

// From a decade below the concentrations to half a decade above them.
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
