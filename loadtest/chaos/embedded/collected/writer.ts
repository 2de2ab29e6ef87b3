// What writes numbered lines for the collector to find, in files or objects.

export interface Writer {
  /** Of the log. */
  readonly name: string
  /** Lines so far, numbered from 0. */
  readonly lines: number
  /** Whether they come out in the order in which they were written. */
  readonly isOrdered: boolean
  /** Some lines, and what else may happen to files at any moment. */
  turn(): Promise<void>
  /** What may only happen when all was read, since it takes lines away. */
  change(): Promise<void>
  close(): Promise<void>
}

const MOST_FILLING = 200
/** One time for all: their order among themselves is that in which they were collected. */
const SHARED_TIME = '2026-10-01T12:00:00.000Z'

export function lineOf(number: number): string {
  const filling = 'x'.repeat((number * 7919) % MOST_FILLING)
  return `{"timestamp":"${SHARED_TIME}","number":${number},"message":"line ${number} größer ${filling}"}\n`
}

export function linesOf(from: number, count: number): string {
  return Array.from({ length: count }, (_, at) => lineOf(from + at)).join('')
}
