// Time of the pages.

export function nowMs(): number {
  return Date.now()
}

/** Milliseconds since the page was opened: for lengths of time. */
export function elapsedMs(): number {
  return performance.now()
}
