// Colours of series, as charts.css names them.

const SERIES = 8

/** `index`: from 0. */
export function keyOf(index: number): string {
  return index < SERIES ? String(index + 1) : 'rest'
}

/** Class of an area that has the colour of a series. */
export function fillOf(index: number): string {
  return `chart-fill-${keyOf(index)}`
}
