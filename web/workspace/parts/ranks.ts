// What cells of the workspace count as where a head orders them. Pure.
import type { Rank } from '../../shared/sort/sort.ts'

/** null: it never was, or has no end, and stands last. */
export function rankOfTime(iso: string | null): Rank {
  return iso === null ? null : Date.parse(iso)
}

/** Of a decimal text. */
export function rankOfAmount(text: string, currency: string): Rank {
  return { currency, amount: Number(text) }
}
