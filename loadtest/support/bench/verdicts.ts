// What was asked, what was measured, and whether that is met: the last lines that a benchmark
// prints.

export type Verdict = {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly asked: { readonly least: number } | { readonly most: number }
}

/** Prints the table; true when all is met. */
export function printVerdicts(verdicts: readonly Verdict[]): boolean {
  console.log('')
  for (const { name, value, unit, asked } of verdicts) {
    const text = 'least' in asked ? `≥ ${asked.least}` : `≤ ${asked.most}`
    const mark = isMet({ value, asked }) ? 'met   ' : 'MISSED'
    console.log(`${mark} ${name.padEnd(58)} ${format(value).padStart(9)} ${unit} (asked ${text})`)
  }
  return verdicts.every(isMet)
}

function isMet({ value, asked }: Pick<Verdict, 'value' | 'asked'>): boolean {
  return 'least' in asked ? value >= asked.least : value <= asked.most
}

export function format(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  return Math.abs(value) >= 1000 ? value.toFixed(0) : value.toFixed(2)
}

/** NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}
