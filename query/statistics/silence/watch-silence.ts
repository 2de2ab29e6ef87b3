// Looks now and then which logs fell silent, and tells it once: as an entry of the audit log, which
// is an event of System->audit, and in the product's own log (docs/decisions/0098).
import { requireFence } from '../../../infra/database/lease.ts'
import { insertAudit } from '../../../infra/metastore/audit/audit-writer.ts'
import {
  beginSilence,
  covers,
  type ExpectedSilence,
  endSilence,
  forgetSilences,
  readExpectedSilences,
  readSilences,
  type Silence,
} from '../../../infra/metastore/silences/silences.ts'
import type { LogRecord } from '../../../infra/metastore/tree/port.ts'
import type { Job, JobContext } from '../../../infra/scheduler/job.ts'
import { logPathKey, SYSTEM_FOLDER } from '../../../schemas/names/log-path.ts'
import { isSilent, LEARNED_QUARTERS, learnCadence } from './cadence.ts'
import { readLastQuarters, readReceived } from './read-received.ts'

const QUARTER_MS = 900_000
const EVERY_MS = 300_000
const LIMIT_MS = 240_000
const STORE_LIMIT_MS = 60_000
/** A log is looked at when so many whole quarters passed without an event. */
const LEAST_QUARTERS = 2
/** Logs whose habit is learned in one run; the others come in the next. */
const MOST_LEARNED = 2000

type Deps = Pick<
  JobContext,
  'database' | 'metastore' | 'store' | 'clock' | 'logger' | 'signal' | 'held'
>

export const silenceWatch: Job = {
  name: 'silence-watch',
  everyMs: EVERY_MS,
  limitMs: LIMIT_MS,
  run: async (context) => {
    await watchSilence(context)
  },
}

/** Paths of the logs whose silence was told now. */
export async function watchSilence(deps: Deps): Promise<readonly string[]> {
  const { database, metastore, clock } = deps
  const nowMs = clock.nowMs()
  const now = Math.floor(nowMs / QUARTER_MS)
  const learnedMs = nowMs - LEARNED_QUARTERS * QUARTER_MS
  const [{ logs }, silences, expected, last] = await Promise.all([
    metastore.tree(),
    readSilences(database.read, learnedMs),
    readExpectedSilences(database.read),
    readLastQuarters(askOf(deps), now),
  ])
  const open = new Map(silences.filter((it) => it.endedMs === null).map((it) => [it.logId, it]))
  for (const [logId, silence] of open) {
    const lastMs = (last.get(logId) ?? 0) * QUARTER_MS
    const log = logs.get(logId)
    if (log === undefined || lastMs >= silence.sinceMs)
      await tellEnd(deps, log, silence, log === undefined ? nowMs : lastMs)
  }
  const quiet = [...logs.values()]
    .filter((log) => log.folder[0] !== SYSTEM_FOLDER && !open.has(log.id))
    .filter((log) => !expected.some((one) => isExpected(one, log, nowMs)))
    .map((log) => ({ log, since: (last.get(log.id) ?? now) + 1 }))
    .filter(({ since }) => now - since >= LEAST_QUARTERS)
    .sort((a, b) => b.since - a.since)
    .slice(0, MOST_LEARNED)
  const told: string[] = []
  const byId = new Map(quiet.map(({ log }) => [log.id, log]))
  for await (const [logId, received] of readReceived(askOf(deps), [...byId.keys()], now)) {
    const log = byId.get(logId)
    const lastQuarter = received.quarters.at(-1)
    if (log === undefined || lastQuarter === undefined || deps.signal.aborted) continue
    const outages = outagesOf(log, { silences, expected, now })
    const cadence = learnCadence({ ...received, outages }, now)
    // An expected silence is not held against the time after it.
    const quietSince = Math.max(lastQuarter, ...endsOf(log, expected, now))
    if (cadence === undefined || !isSilent(cadence, quietSince, now)) continue
    await tellBegin(deps, log, (lastQuarter + 1) * QUARTER_MS)
    told.push(pathOf(log))
  }
  await database.write((transaction) => forgetSilences(transaction, learnedMs))
  return told
}

function askOf({ store, clock, signal }: Deps) {
  return <Row>(statement: { sql: string; params: Readonly<Record<string, unknown>> }) =>
    store.query<Row>({
      ...statement,
      queryId: `silence-${clock.randomBytes(12).toString('hex')}`,
      timeoutMs: STORE_LIMIT_MS,
      signal,
    })
}

function pathOf(log: LogRecord): string {
  return logPathKey(log.folder, log.name)
}

function isExpected(expected: ExpectedSilence, log: LogRecord, atMs: number): boolean {
  const { fromMs, toMs } = expected
  return (
    fromMs <= atMs && (toMs === null || atMs < toMs) && covers(expected, [...log.folder, log.name])
  )
}

/** Quarters in which a silence of the log was last expected. */
function endsOf(log: LogRecord, expected: readonly ExpectedSilence[], now: number): number[] {
  return expected
    .filter((one) => covers(one, [...log.folder, log.name]))
    .map(({ toMs }) => Math.floor((toMs ?? 0) / QUARTER_MS) - 1)
    .filter((quarter) => quarter < now)
}

/** What nothing is learned from. */
function outagesOf(
  log: LogRecord,
  known: {
    silences: readonly Silence[]
    expected: readonly ExpectedSilence[]
    now: number
  },
) {
  const toQuarter = (ms: number) => Math.floor(ms / QUARTER_MS)
  const told = known.silences
    .filter(({ logId, endedMs }) => logId === log.id && endedMs !== null)
    .map(({ sinceMs, endedMs }) => ({ from: toQuarter(sinceMs), to: toQuarter(endedMs ?? 0) }))
  const meant = known.expected
    .filter((one) => covers(one, [...log.folder, log.name]))
    .map(({ fromMs, toMs }) => ({
      from: toQuarter(fromMs),
      to: toMs === null ? known.now : toQuarter(toMs),
    }))
  return [...told, ...meant].sort((a, b) => a.from - b.from)
}

/** With its audit entry, or not at all; of two that watch, one tells. */
async function tellBegin(deps: Deps, log: LogRecord, sinceMs: number): Promise<void> {
  const { database, clock, logger, held } = deps
  const atMs = clock.nowMs()
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await beginSilence(transaction, { logId: log.id, sinceMs, toldMs: atMs })
    await insertAudit(transaction, [{ atMs, entry: entryOf('log.silent', log, sinceMs) }])
  })
  logger.warn('log fell silent', { log: pathOf(log), since: new Date(sinceMs).toISOString() })
}

async function tellEnd(
  deps: Deps,
  log: LogRecord | undefined,
  silence: Silence,
  endedMs: number,
): Promise<void> {
  const { database, clock, logger, held } = deps
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await endSilence(transaction, silence, endedMs)
    if (log === undefined) return
    const entry = entryOf('log.heard', log, silence.sinceMs)
    await insertAudit(transaction, [{ atMs: clock.nowMs(), entry }])
  })
  if (log !== undefined) logger.info('log is heard again', { log: pathOf(log) })
}

function entryOf(action: string, log: LogRecord, sinceMs: number) {
  return {
    ...{ userId: null, userName: '', address: '', action, target: pathOf(log), result: 'done' },
    details: { since: new Date(sinceMs).toISOString() },
  }
}
