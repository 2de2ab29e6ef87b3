// What the running product says of itself. Nothing, while it does not run.
import { formatByteSize } from '../../schemas/byte-size.ts'
import { maxEmbeddedBytes } from '../event-log/open.ts'
import { bad, type Examination, type Finding, ok, warn } from './check.ts'
import type { RunningProduct } from './running-product.ts'

const BEHIND_SECONDS = 60
const SHARE_NEAR_FULL = 0.5
const JOB_LATE_SECONDS = 7200
/** Fewer events say little of a template. */
const MIN_TEMPLATE_EVENTS = 100
const MAX_MISFITS = 0.05

type Look = (product: RunningProduct) => readonly Finding[]

function whileItRuns(look: Look) {
  return ({ product }: Examination) => (product === undefined ? [] : look(product))
}

function sumOf(product: RunningProduct, name: string, labels: Record<string, string> = {}): number {
  return product
    .samples(name)
    .filter((it) => Object.entries(labels).every(([key, value]) => it.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0)
}

function largestOf(product: RunningProduct, name: string): number {
  return product.samples(name).reduce((most, { value }) => Math.max(most, value), 0)
}

export const checkParts = whileItRuns(({ notReady }) =>
  notReady.length === 0
    ? ok('every part is ready')
    : bad(
        `not ready: ${notReady.join(', ')}`,
        'see the lines of these processes in the log; an engine by URL: whether it runs and can be reached',
      ),
)

export const checkWriter = whileItRuns((product) => {
  const stopped = product.samples('logeye_writer_stopped').filter(({ value }) => value > 0)
  if (stopped.length > 0)
    return bad(
      `stopped partitions of the event log: ${stopped.map((it) => it.labels.partition).join(', ')}`,
      "see 'partition stopped' in the log, and 'When something is short' in the operator's guide",
    )
  const seconds = largestOf(product, 'logeye_writer_oldest_unstored_seconds')
  const waiting = formatByteSize(sumOf(product, 'logeye_writer_lag_bytes'))
  if (seconds > BEHIND_SECONDS)
    return bad(
      `the writer is ${Math.round(seconds)} s behind, ${waiting} wait in the event log; nothing is lost, and not found yet`,
      'see the CPU of work and store, the speed of the disk, and errors of the writer in the log',
    )
  return ok(`events are searchable, ${waiting} wait`)
})

export function checkBacklog({ config, product }: Examination): readonly Finding[] {
  if (product === undefined || config.eventLogUrl !== undefined) return []
  const { dataDir, eventLog } = config
  const limit = maxEmbeddedBytes({ dataDir, maxBytes: eventLog.maxBytes })
  const waiting = sumOf(product, 'logeye_writer_lag_bytes')
  const text = `${formatByteSize(waiting)} of ${formatByteSize(limit)} of the event log are taken by what is not stored yet`
  return waiting > SHARE_NEAR_FULL * limit
    ? bad(
        `${text}; when it is full events are refused with 500`,
        'mend what holds the writer up; until then LOGEYE_EVENT_LOG_MAX_BYTES gives more room',
      )
    : ok(text)
}

export const checkGuard = whileItRuns((product) => {
  const events = sumOf(product, 'logeye_writer_overflow_events_total')
  if (events === 0) return ok('no event went to an overflow log since the start')
  return warn(
    `${events} events went to an overflow log since the start: an account makes too many logs`,
    'search the logs named "… overflow"; split by fewer keys, or raise LOGEYE_WRITER_NEW_LOGS_PER_HOUR or LOGEYE_WRITER_LOGS_PER_ACCOUNT',
  )
})

export const checkRejected = whileItRuns((product) => {
  const rejected = sumOf(product, 'logeye_listener_events_total', { state: 'rejected' })
  const received = sumOf(product, 'logeye_listener_events_total', { state: 'received' })
  if (rejected === 0) return ok('no event was rejected since the start')
  return warn(
    `${rejected} of ${received} events were rejected since the start; their bytes are kept`,
    "search System->rejected for 'reason' and 'account'; replayRejected takes them in again",
  )
})

export const checkTemplates = whileItRuns((product) => {
  const name = 'logeye_writer_template_events_total'
  const templates = new Set(product.samples(name).map(({ labels }) => labels.template ?? ''))
  const misfits = [...templates].sort().flatMap((template) => {
    const events = sumOf(product, name, { template })
    const others = sumOf(product, name, { template, outcome: 'others' })
    if (events < MIN_TEMPLATE_EVENTS || others <= MAX_MISFITS * events) return []
    return `${template} (${others} of ${events})`
  })
  if (misfits.length === 0) return ok('templates fit their events')
  return warn(
    `templates that do not fit events of their type since the start: ${misfits.join(', ')}; these events have no columns of it`,
    'try the patterns with verifyPattern on lines that do not fit, and change them with addTemplate -update; later events meet the change',
  )
})

export const checkTokens = whileItRuns((product) => {
  const refused = ['token_missing', 'token_invalid'].reduce(
    (sum, answer) => sum + sumOf(product, 'logeye_listener_requests_total', { answer }),
    0,
  )
  if (refused === 0) return ok('no sender was refused for his token since the start')
  return warn(
    `${refused} requests were refused for their token since the start: a sender's events are not taken`,
    'LOGEYE_LOG_LEVEL=debug prints the address of each; give that sender the token of its account',
  )
})

export function checkJobs({ product, clock }: Examination): readonly Finding[] {
  if (product === undefined) return []
  const failed = product
    .samples('logeye_scheduler_failures_total')
    .filter(({ value }) => value > 0)
    .map(({ labels }) => labels.name ?? '')
  const last = new Map(
    product
      .samples('logeye_scheduler_last_success_timestamp_seconds')
      .map(({ labels, value }) => [labels.name ?? '', value]),
  )
  const nowSeconds = clock.nowMs() / 1000
  const failing = failed.filter((name) => nowSeconds - (last.get(name) ?? 0) > JOB_LATE_SECONDS)
  if (failing.length === 0) return ok('no job fails')
  return warn(`jobs that fail: ${failing.join(', ')}`, "see 'job failed' in the log of work")
}
