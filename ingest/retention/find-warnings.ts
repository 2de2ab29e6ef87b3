// Which warnings of storage hold now, with the ones before: a limit that is crossed is crossed back
// a good way below it only, so that one that is about to be reached is told once. Pure
// (docs/decisions/0110).
import type { WarningKind } from '../../infra/metastore/retention/storage-warnings.ts'

const NEARLY_FULL = 0.9
const FULL_NO_MORE = 0.8
const DISK_FREE = 0.1
const DISK_FREE_AGAIN = 0.15

export type StorageFacts = {
  /** Of the events of the policy, before retention has taken anything. */
  readonly bytes: number
  /** Null: no limit. */
  readonly maxBytes: number | null
  /** Above the limit with all that may go gone. */
  readonly isFull: boolean
  /** A day could not be archived. */
  readonly isArchiveFailing: boolean
  /** Share of the disk that is free, 0 to 1; undefined: not known. */
  readonly freeShare: number | undefined
}

export function findWarnings(
  facts: StorageFacts,
  before: ReadonlySet<WarningKind>,
): ReadonlySet<WarningKind> {
  const { bytes, maxBytes, isFull, isArchiveFailing, freeShare = 1 } = facts
  const full = before.has('nearly-full') ? FULL_NO_MORE : NEARLY_FULL
  const free = before.has('disk') ? DISK_FREE_AGAIN : DISK_FREE
  const all: readonly (readonly [WarningKind, boolean])[] = [
    ['nearly-full', maxBytes !== null && bytes >= full * maxBytes],
    ['full', isFull],
    ['archive', isArchiveFailing],
    ['disk', freeShare < free],
  ]
  return new Set(all.filter(([, holds]) => holds).map(([kind]) => kind))
}
