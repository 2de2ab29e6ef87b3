// What the stored rows of an alert were made of: they are shown later only to those who may see as
// much.
import { z } from 'zod'

const seenSchema = z.strictObject({
  /** Ids of all logs that were read, as runs: `1-5,9`. */
  logs: z.string(),
  /** What a policy hid then. */
  masks: z.array(z.string()).readonly(),
  /** The program that hid it (infra/metastore/rights/masks-mark.ts). */
  hiding: z.int(),
})
export type Seen = Readonly<z.infer<typeof seenSchema>>

/** Of rows that were made of both. */
export function bothSeen(one: Seen | null, other: Seen): Seen | null {
  if (one === null) return null
  return {
    logs: printLogIds([...readLogIds(one.logs), ...readLogIds(other.logs)]),
    masks: one.masks.filter((mask) => other.masks.includes(mask)),
    hiding: Math.min(one.hiding, other.hiding),
  }
}

/** As it is stored; null: it was not. */
export function readSeen(json: string | null): Seen | null {
  return json === null ? null : seenSchema.parse(JSON.parse(json))
}

export function printSeen(seen: Seen | null): string | null {
  return seen === null ? null : JSON.stringify(seen)
}

export function printLogIds(ids: Iterable<number>): string {
  const runs: { first: number; last: number }[] = []
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run !== undefined && run.last === id - 1) run.last = id
    else runs.push({ first: id, last: id })
  }
  return runs.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(',')
}

export function readLogIds(runs: string): readonly number[] {
  return runs.split(',').flatMap((run) => {
    const [first = '', last = first] = run.split('-')
    if (first === '') return []
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => Number(first) + i)
  })
}
