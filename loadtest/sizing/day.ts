// The course of a day: one peak, one valley, a mean of 1. exp(k·cos) has any ratio of peak to mean
// above 1, and stays above 0.

const STEPS = 24 * 60

/** What arrives at a minute of the day, against the mean; the peak is at 12:00. */
export function makeDay(peakFactor: number): (minute: number) => number {
  if (peakFactor <= 1) return () => 1
  let [low, high] = [0, 200]
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2
    if (peakOf(middle) < peakFactor) low = middle
    else high = middle
  }
  const mean = meanOf(high)
  return (minute) => rise(high, minute) / mean
}

function peakOf(k: number): number {
  return 1 / meanOf(k)
}

/** Against the peak, so that large k stay finite. */
function rise(k: number, minute: number): number {
  return Math.exp(k * (Math.cos((2 * Math.PI * (minute - STEPS / 2)) / STEPS) - 1))
}

function meanOf(k: number): number {
  let sum = 0
  for (let minute = 0; minute < STEPS; minute++) sum += rise(k, minute)
  return sum / STEPS
}
