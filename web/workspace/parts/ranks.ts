// What cells of the workspace count as where a head orders them. Pure.
import type { Rank } from '../../shared/sort/sort.ts'

/** null: it never was, or has no end, and stands last. */
export function rankOfTime(iso: string | null): Rank {
  return iso === null ? null : Date.parse(iso)
}

/** Of a decimal text. Its currency does not count: that of a list is one, or stands beside it. */
export function rankOfAmount(text: string): Rank {
  return Number(text)
}
