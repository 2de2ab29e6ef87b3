// What the processes themselves counted: received = stored + rejected + repeated + in flight, since
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
  /** Blocks and bytes that are on their way; with 0 of both nothing is in flight. */
  readonly waiting: number
}

/** Fails while the writer says nothing: what waits for it is unknown then. */
export function readLedger(metrics: string): Ledger {
  if (!/^logeye_writer_lag_blocks\{/m.test(metrics)) throw new Error('the writer says nothing')
  const sum = (name: string, label = '') => sumOf(metrics, name, label)
  const writer = 'logeye_writer_events_total'
  return {
    received: sum('logeye_listener_events_total', 'state="received"'),
    undecided: sum('logeye_listener_events_total', 'state="undecided"'),
    stored: sum(writer, 'outcome="stored"'),
    uncounted: sum('logeye_writer_undecided_events_total'),
    rejected: sum(writer, 'outcome="rejected"'),
    repeated: sum(writer, 'outcome="repeated"'),
    waiting: sum('logeye_writer_lag_blocks') + sum('logeye_listener_in_flight_bytes'),
  }
}

/** Undefined: right. */
export function compareLedgers(before: Ledger, after: Ledger): string | undefined {
  const grown = (name: keyof Ledger) => after[name] - before[name]
  const received = grown('received')
  const sum = grown('stored') + grown('rejected') + grown('repeated')
  const isRight = received <= sum + grown('uncounted') && sum <= received + grown('undecided')
  if (after.waiting === 0 && isRight) return undefined
  return `received ${received}, undecided ${grown('undecided')}, uncounted ${grown('uncounted')}, stored ${grown('stored')} + rejected ${grown('rejected')} + repeated ${grown('repeated')} = ${sum}, in flight ${after.waiting}`
}

function sumOf(metrics: string, name: string, label: string): number {
  let sum = 0
  for (const line of metrics.split('\n')) {
    if (!line.startsWith(`${name}{`) || !line.includes(label)) continue
    sum += Number(line.slice(line.lastIndexOf(' ') + 1))
  }
  return sum
}
