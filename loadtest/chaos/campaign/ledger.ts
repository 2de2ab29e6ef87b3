// What the processes themselves counted: received = stored + rejected + repeated + dropped + in
// flight, since
// the counters were last compared; up to `undecided` more where the end of an append was unknown,
// up to `uncounted` less where that of a commit was.

export type Ledger = {
  readonly received: number
  /** Answered 500, and the event log may have them. */
  readonly undecided: number
  readonly stored: number
  /** The end of their commit is unknown. */
  readonly uncounted: number
  readonly rejected: number
  readonly repeated: number
  /** By rules of an account. */
  readonly dropped: number
  /** Blocks and bytes that are on their way; with 0 of both nothing is in flight. */
  readonly waiting: number
}

/** Fails while the writer says nothing: what waits for it is unknown then. */
export function readLedger(metrics: string): Ledger {
  if (!/^logeye_writer_lag_blocks\{/m.test(metrics)) throw new Error('the writer says nothing')
  const sum = (name: string, label = '') => sumOf(metrics, name, label)
  const writer = 'logeye_writer_events_total'
  // From senders, and copied from the audit log; and of files, where all that counts is durable.
  const both = (state: string) =>
    sum('logeye_listener_events_total', state) + sum('logeye_audit_events_total', state)
  return {
    received: both('state="received"') + sum('logeye_collect_events_total'),
    undecided: both('state="undecided"'),
    stored: sum(writer, 'outcome="stored"'),
    uncounted: sum('logeye_writer_undecided_events_total'),
    rejected: sum(writer, 'outcome="rejected"'),
    repeated: sum(writer, 'outcome="repeated"'),
    dropped: sum(writer, 'outcome="dropped"'),
    waiting: sum('logeye_writer_lag_blocks') + sum('logeye_listener_in_flight_bytes'),
  }
}

/** Undefined: right. */
export function compareLedgers(before: Ledger, after: Ledger): string | undefined {
  const grown = (name: keyof Ledger) => after[name] - before[name]
  const received = grown('received')
  const sum = grown('stored') + grown('rejected') + grown('repeated') + grown('dropped')
  const isRight = received <= sum + grown('uncounted') && sum <= received + grown('undecided')
  if (after.waiting === 0 && isRight) return undefined
  return `received ${received}, undecided ${grown('undecided')}, uncounted ${grown('uncounted')}, stored ${grown('stored')} + rejected ${grown('rejected')} + repeated ${grown('repeated')} + dropped ${grown('dropped')} = ${sum}, in flight ${after.waiting}`
}

function sumOf(metrics: string, name: string, label: string): number {
  let sum = 0
  for (const line of metrics.split('\n')) {
    if (!line.startsWith(`${name}{`) || !line.includes(label)) continue
    sum += Number(line.slice(line.lastIndexOf(' ') + 1))
  }
  return sum
}
