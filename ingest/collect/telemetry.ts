// What collecting tells: by log what was read, how far it is behind, and what cannot be read.
import type { Logger } from '../../infra/logger.ts'
import type { Metrics } from '../../infra/metrics.ts'
import type { CutPiece } from './cut-piece.ts'
import { faultsOf, type LogWork } from './log-work.ts'

/** Logs with a name in the metrics; of more the first ones. */
const MOST_LOGS = 1000

export type CollectTelemetry = {
  collected(logId: number, cut: CutPiece, bytes: number): void
  /** `account`: whose logs these all are; '' for this machine. */
  looked(account: string, works: readonly LogWork[], look: Look): void
  /** The same of logs that are no files. */
  told(account: string, progress: readonly LogProgress[]): void
  /** Of no file. */
  copied(events: number, bytes: number): void
}

/** `beganMs` by the steady clock. */
type Look = { readonly beganMs: number; readonly nowMs: number }

export type LogProgress = {
  readonly log: string
  /** Start of the scan that reported this, by the steady clock. */
  readonly lookedMs: number
  readonly files: number
  /** Bytes that are not read; packed ones count when they are begun. */
  readonly behindBytes: number
  /** Seconds since the oldest of them was written, by the file's own time; 0: nothing is behind. */
  readonly behindSeconds: number
  readonly faults: readonly string[]
}

export function makeCollectTelemetry(deps: {
  readonly metrics: Metrics
  readonly logger: Logger
}): CollectTelemetry & { readonly progress: () => readonly LogProgress[] } {
  const { metrics, logger } = deps
  const events = metrics.counter(
    'logeye_collect_events_total',
    'Events of files that became durable: accepted, or rejected (kept in System->rejected)',
    ['state'],
  )
  const bytesRead = metrics.counter('logeye_collect_bytes_total', 'Bytes read of files')
  const files = metrics.gauge('logeye_collect_files', 'Files that are read', ['log'])
  const behind = metrics.gauge('logeye_collect_behind_bytes', 'Bytes not read yet', ['log'])
  const age = metrics.gauge(
    'logeye_collect_behind_seconds',
    'Time since a file changed that is not read to its end',
    ['log'],
  )
  const faulty = metrics.gauge('logeye_collect_faults', 'Files and paths that cannot be read', [
    'log',
  ])
  const byAccount = new Map<string, readonly LogProgress[]>()
  const all = () => [...byAccount.values()].flat()
  const said = new Map<string, string>()
  const told = (account: string, progress: readonly LogProgress[]) => {
    byAccount.set(account, progress)
    for (const { log, ...now } of progress.slice(0, MOST_LOGS)) {
      files.set(now.files, { log })
      behind.set(now.behindBytes, { log })
      age.set(now.behindSeconds, { log })
      faulty.set(now.faults.length, { log })
    }
    for (const { log, faults } of progress) {
      const fault = faults.join('; ')
      if ((said.get(log) ?? '') === fault) continue
      said.set(log, fault)
      if (fault === '') logger.info('files of a log can be read again', { log })
      else logger.warn('files of a log cannot be read', { log, fault })
    }
  }

  return {
    progress: all,
    told,
    copied: (count, bytes) => {
      events.inc(count, { state: 'accepted' })
      bytesRead.inc(bytes)
    },
    collected: (_logId, { ranges, rejections }, bytes) => {
      events.inc(ranges.length / 2, { state: 'accepted' })
      events.inc(rejections.length, { state: 'rejected' })
      bytesRead.inc(bytes)
    },
    looked: (account, works, look) =>
      told(
        account,
        works.map((work) => progressOf(work, look)),
      ),
  }
}

function progressOf(work: LogWork, { beganMs, nowMs }: Look): LogProgress {
  const { source, files } = work
  const tails = files.tails
  let behindBytes = 0
  let oldestMs = nowMs
  for (const { file, changedMs } of tails) {
    if (file.state !== 'open' || file.isPacked || file.size <= file.position) continue
    behindBytes += file.size - file.position
    oldestMs = Math.min(oldestMs, changedMs)
  }
  const ofFiles = tails.flatMap(({ file }) =>
    file.fault === ''
      ? []
      : [file.fault.startsWith('/') ? file.fault : `${file.path}: ${file.fault}`],
  )
  return {
    log: [...source.folder, source.name].join('->'),
    lookedMs: beganMs,
    files: tails.length,
    behindBytes,
    behindSeconds: behindBytes === 0 ? 0 : Math.max(0, (nowMs - oldestMs) / 1000),
    faults: [...faultsOf(work), ...ofFiles].slice(0, 20),
  }
}
