// What the ledger of the store can find (decision 0021), and how it is told.

export const DAMAGE_KINDS = [
  'events',
  'counters',
  'returned',
  'store',
  'keys',
  'blocks',
  'logs',
  'stopped',
] as const
export type DamageKind = (typeof DAMAGE_KINDS)[number]

/** No look of the ledger finds them: the process that meets them names them, and they stay until
 *  they are accepted (`stopped`: or cured). */
export const NAMED_ONCE = ['blocks', 'logs', 'stopped'] as const satisfies readonly DamageKind[]

export function isNamedOnce(kind: DamageKind): kind is (typeof NAMED_ONCE)[number] {
  return NAMED_ONCE.some((it) => it === kind)
}

export type Damage = {
  /** Made when it was found first; names the entry of the table `gone` when it is accepted. */
  readonly id: string
  /**
   * `events`: received and held no more. `counters`: held, and not in the counters. `returned`:
   * accepted as gone, and held again. `store`: committed, and not even in the counters: the store
   * is empty, or of an older moment. `keys`: idempotency keys. `blocks`: of the event log, damaged
   * before they were stored; their bytes are in System->rejected. `logs`: held, of logs that the
   * database does not know: it is older than the store. `stopped`: nothing more of a partition of
   * the event log is stored, since it, store and database are not of one moment.
   */
  readonly kind: DamageKind
  /** 0: of none. */
  readonly policyId: number
  /** Day of receipt, counted from 1970, UTC; 0: not known. */
  readonly day: number
  /** 0: not known. */
  readonly logId: number
  /** Partition of the event log, for the kinds `store`, `blocks` and `stopped`. */
  readonly partition: number
  /** For kind `blocks` a count of blocks, for `keys` of keys; for `stopped` 0: not known. */
  readonly events: number
  readonly bytes: number
  /** Times of the events; null: not known. Of kind `store`, `toMs` is when the last of them was
   *  committed; of kind `blocks`, when they were met. */
  readonly fromMs: number | null
  readonly toMs: number | null
  readonly foundMs: number
}

const DAY_MS = 86_400_000

export function printDay(day: number): string | null {
  return day === 0 ? null : new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** One sentence. `log`: its path; undefined where it is not known, or must not be told.
 *  `isCounted`: whether the number may be told. */
export function describeDamage(
  { kind, day, events, toMs }: Damage,
  { log, isCounted = true }: { log?: string | undefined; isCounted?: boolean } = {},
): string {
  const isOne = isCounted && events === 1
  const many = isCounted ? `${events} ${isOne ? 'event' : 'events'}` : 'events'
  const blocks = isCounted ? `${events} ${isOne ? 'block' : 'blocks'}` : 'blocks'
  const are = isOne ? 'is' : 'are'
  const of = log === undefined ? '' : ` of the log ${log}`
  const on = day === 0 ? '' : ` received on ${printDay(day)}`
  switch (kind) {
    case 'events':
      return `${many}${of}${on} ${are} missing: files of the store are damaged`
    case 'counters':
      return `${many}${of}${on} ${are} not counted by datastream: files of the store are damaged`
    case 'returned':
      return `${many}${of}${on} ${isOne ? 'was' : 'were'} accepted as gone and ${are} there again`
    case 'store': {
      const until = toMs === null ? '' : ` until ${new Date(toMs).toISOString()}`
      return `${many} stored${until} ${are} missing: the store is empty, or was restored from an older copy`
    }
    case 'blocks': {
      // A user who may not know the number may not see that log either.
      const where = isCounted ? ': the bytes are in System->rejected (unreadable_block)' : ''
      const [were, them] = isOne ? ['was', 'it'] : ['were', 'them']
      return `${blocks} of the event log ${were} damaged, and what was in ${them} is not found${where}`
    }
    case 'logs':
      return `${many} in the store ${are} of logs that the database does not know, and only administrators find them: the database is older than the store`
    case 'stopped':
      return 'the newest events are not found, nor any that come now: event log, store and database are not copies of the same moment, so nothing more is stored'
    case 'keys':
      return `idempotency keys of ${printDay(day) ?? 'some days'} are missing: a request that is repeated may be stored twice`
  }
}
