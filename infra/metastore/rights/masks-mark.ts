// What stands among the ids of visible logs for what policies hide: a number below 0 that is the
// same for the same masks. So whatever is kept of a search for those who see the same logs
// (results, files, pages, dashboards) is kept for those who see the same values.
import { createHash } from 'node:crypto'

/** Raised with each program that hides more by the same masks: what an older one kept is not shown
 *  any more. */
export const HIDING = 2

/** undefined: nothing is hidden. */
export function makeMasksMark(masks: readonly string[]): number | undefined {
  if (masks.length === 0) return undefined
  const text = [`hiding ${HIDING}`, ...[...masks].sort()].join('\n')
  return -1 - createHash('sha256').update(text).digest().readUIntBE(0, 6)
}

export function masksMarkOf(ids: Iterable<number>): number | undefined {
  for (const id of ids) if (id < 0) return id
  return undefined
}
