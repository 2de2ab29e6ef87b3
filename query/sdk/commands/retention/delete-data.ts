// deleteData: the row in the database hides the events from the commit on; the scheduler removes
// them (docs/decisions/0085).
import type { Database } from '../../../../infra/database/port.ts'
import { readArchives } from '../../../../infra/metastore/archive/archives.ts'
import { readBackups } from '../../../../infra/metastore/backups/backup-requests.ts'
import { addDeletion } from '../../../../infra/metastore/retention/deletions.ts'
import { heldRowsSql } from '../../../../infra/metastore/retention/held-rows.ts'
import {
  type HeldEvents,
  readHeldEvents,
} from '../../../../infra/metastore/retention/legal-holds.ts'
import type { ArchivedLog } from '../../../../schemas/archive/manifest.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { logPathKey, SYSTEM_FOLDER } from '../../../../schemas/names/log-path.ts'
import { deleteData as published } from '../../../../schemas/sdk/retention/delete-data.ts'
import type { MeantEvents } from '../../server/find-events.ts'
import { serveAct } from '../../server/serve-command.ts'

const COUNT_MS = 120_000
const UNIQUE_BYTES = 6

type Counted = { events: string; bytes: string; first: string; last: string }

export const deleteData = serveAct(
  published,
  async (given, tools) => {
    const { clock, store, database, caller } = tools
    const { log: levels, query, startTime, endTime, dryRun = false } = given
    if (levels[0] === SYSTEM_FOLDER)
      throw new Failure('object.built_in', { kind: 'folder', name: SYSTEM_FOLDER })
    const place = { kind: 'log', levels } as const
    await tools.requireVisible(place)
    await tools.requireEditable(place)
    // It finds values as they are stored: a count would reveal what is hidden from the caller.
    if (caller.user.masks.length > 0 && (query ?? '').trim() !== '')
      throw new Failure('rights.missing')
    const nowMs = clock.nowMs()
    const meant = await tools.findEvents({ levels, query, startTime, endTime, nowMs })
    const [counted] = await store.query<Counted>({
      sql: `SELECT count() AS events, sum(toUInt64(size)) AS bytes, toUnixTimestamp64Milli(min(timestamp)) AS first, toUnixTimestamp64Milli(max(timestamp)) AS last
      FROM events WHERE ${meant.condition}`,
      timeoutMs: COUNT_MS,
    })
    const held = await readHeldEvents(database.read)
    const heldSql = heldRowsSql(held)
    const isHeld =
      heldSql !== '' &&
      (
        await store.query({
          sql: `SELECT 1 AS found FROM events WHERE ${meant.condition} AND (${heldSql}) LIMIT 1`,
          timeoutMs: COUNT_MS,
        })
      ).length > 0
    const holds = held.filter(
      ({ policyId, logIds }) => policyId === meant.policyId || logIds?.includes(meant.logId),
    )
    // Events on their way into the store are deleted, too: so the spans alone may not meet.
    const meeting = holds.filter((hold) => meets(hold, meant.window))
    if (isHeld || meeting.length > 0) {
      const numbers = (meeting.length > 0 ? meeting : held).map(({ hold }) => hold).join(', ')
      throw new Failure('retention.held', { holds: numbers })
    }
    const events = Number(counted?.events ?? 0)
    const bytes = Number(counted?.bytes ?? 0)
    const moment = (ms: string | undefined) =>
      events === 0 ? null : new Date(Number(ms)).toISOString()
    const describe = async (db: Database['read']) => {
      const { backups, archives } = await findCopies(db, meant)
      return {
        log: meant.log,
        ...{ events, bytes, from: moment(counted?.first), to: moment(counted?.last) },
        ...{ backups, archives },
        notes: notesOf({ backups: backups.length, archives: archives.length, holds: holds.length }),
      }
    }
    if (dryRun) return async (transaction) => ({ number: null, ...(await describe(transaction)) })
    const unique = clock.randomBytes(UNIQUE_BYTES).toString('hex')
    const asked = { askedBy: caller.user.name, askedMs: nowMs }
    return async (transaction) => {
      const now = await readHeldEvents(transaction)
      if (JSON.stringify(now) !== JSON.stringify(held)) throw new Failure('retention.busy')
      const { number } = await addDeletion(
        transaction,
        { ...meant, ...asked, events, bytes },
        unique,
      )
      return { number, ...(await describe(transaction)) }
    }
  },
  ({ log: levels }) => [{ kind: 'place', place: { kind: 'log', levels }, asks: 'edit' }],
)

/** Read in the transaction of the deletion: what begins after it has heard of it. */
async function findCopies(
  db: Database['read'],
  meant: MeantEvents,
): Promise<{ readonly backups: string[]; readonly archives: number[] }> {
  const backups = (await readBackups(db)).filter(
    ({ state, isDryRun }) => !isDryRun && (state === 'done' || state === 'running'),
  )
  const archives = (await readArchives(db)).filter(
    ({ state, logs, isForeign }) =>
      // What one that is being written has read already is not known yet.
      state === 'writing' || logs.some((log) => isArchived(log, isForeign, meant)),
  )
  return {
    backups: backups.map(({ name }) => name),
    archives: archives.map(({ number }) => number),
  }
}

function meets({ fromMs, toMs }: HeldEvents, { startMs, endMs }: MeantEvents['window']): boolean {
  const isAfter = endMs !== null && fromMs !== undefined && fromMs >= endMs
  const isBefore = startMs !== null && toMs !== undefined && toMs <= startMs
  return !isAfter && !isBefore
}

/** The logs of another product are known by their paths. */
function isArchived(
  { id, path, fromMs, toMs }: ArchivedLog,
  isForeign: boolean,
  { logId, log, window: { startMs, endMs } }: MeantEvents,
): boolean {
  const isIt = isForeign ? logPathKey(path.slice(0, -1), path.at(-1) ?? '') === log : id === logId
  const isOutside = (startMs !== null && toMs < startMs) || (endMs !== null && fromMs >= endMs)
  return isIt && !isOutside
}

function notesOf(of: { backups: number; archives: number; holds: number }): string[] {
  const { backups, archives, holds } = of
  return [
    ...(archives === 0
      ? []
      : [
          'the archives named here may hold the events: a thaw never brings them back; to have them gone there, remove the archives by removeArchive',
        ]),
    ...(backups === 0 ? [] : ['the backups named here may hold the events: remove them by hand']),
    ...(holds === 0 ? [] : ['legal holds on this log keep events of other times']),
    'the event log keeps what it has not trimmed yet; with Kafka that is its retention',
    'names of columns, hosts and logs, and counters of what was received, stay',
  ]
}
