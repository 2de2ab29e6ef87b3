export function printMoment(ms: number): string {
  return new Date(ms).toISOString()
}

/** What `untilValue` has read. */
export function readUntil(
  given: { readonly forMs: number } | { readonly untilMs: number },
  nowMs: number,
): number {
  return 'forMs' in given ? nowMs + given.forMs : given.untilMs
}
