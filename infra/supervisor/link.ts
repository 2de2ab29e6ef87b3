// The child's end: answers the supervisor, and dies with it whatever it is doing.
import { Worker } from 'node:worker_threads'
import type { Clock } from '../clock.ts'
import { orderSchema, type Report, type Supervision, type Word } from './messages.ts'

const ASK_LIMIT_MS = 3000
/** A supervisor that hangs does not keep a process that fails. */
const LAST_WORD_LIMIT_MS = 500
/** A new supervisor waits longer than this for the children of one that was killed. */
const WATCH_EVERY_MS = 250

const BEAT_EVERY_MS = 1000
/** Far longer than anything that a process does at a stretch when it serves. */
const STALL_LIMIT_MS = 60_000

/** In a thread of its own, since a busy event loop hears no 'disconnect': ends the process with its
 *  parent, and when its event loop has stood still for the limit since it was open. Counts its own
 *  turns, so that a machine that sleeps, or a process that is paused, is not taken for it. */
const WATCHER = `
const { workerData: { parent, beats, limitMs } } = require('node:worker_threads')
const end = () => process.kill(process.pid, 'SIGKILL')
let [last, stillMs] = [0, 0]
setInterval(() => {
  if (process.ppid !== parent) end()
  const beat = Atomics.load(beats, 0)
  stillMs = beat === last && beat !== 0 ? stillMs + ${WATCH_EVERY_MS} : 0
  last = beat
  if (stillMs < limitMs) return
  require('node:fs').writeSync(2, 'logeye: the event loop stood still for ' + limitMs / 1000 + ' s: this process ends\\n')
  end()
}, ${WATCH_EVERY_MS})`

export interface SupervisorLink {
  /** Said once, when everything is open. */
  sayOpen(): void
  /** The last word before an end; resolves when it is on its way. */
  sayFailing(failing: { reason: string; isPassing: boolean }): Promise<void>
  /** What the supervisor asks for from time to time. */
  onReport(make: (withMetrics: boolean) => Promise<Report>): void
  /** Called once, with the milliseconds there are. */
  onStop(stop: (limitMs: number) => void): void
  /** Reports of all processes; empty when the supervisor does not answer. */
  askReports(withMetrics: boolean): Promise<Report[]>
  /** Of all processes, this one too. */
  askRestart(): void
}

export function openSupervisorLink(
  supervision: Supervision,
  clock: Clock,
  stallLimitMs = STALL_LIMIT_MS,
): SupervisorLink {
  let makeReport: ((withMetrics: boolean) => Promise<Report>) | undefined
  let stop: ((limitMs: number) => void) | undefined
  let stopLimitMs: number | undefined
  let lastId = 0
  const waiting = new Map<number, (reports: Report[]) => void>()

  const tell = (word: Word): void => {
    if (process.connected) process.send?.(word, undefined, undefined, () => undefined)
  }
  process.on('message', (message) => {
    const order = orderSchema.safeParse(message)
    if (!order.success) return
    const { data } = order
    if (data.kind === 'stop') {
      stopLimitMs = data.limitMs
      stop?.(data.limitMs)
    } else if (data.kind === 'reports') waiting.get(data.id)?.(data.reports)
    // A process that cannot report counts as one that does not answer.
    else
      void makeReport?.(data.withMetrics).then(
        (report) => tell({ kind: 'report', id: data.id, report }),
        () => undefined,
      )
  })
  // Everything that was acknowledged is on disk: there is nothing that a slower end would save.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  const beat = startWatcher(supervision.supervisorPid, stallLimitMs)

  return {
    sayOpen: () => {
      tell({ kind: 'open' })
      beat()
      setInterval(beat, BEAT_EVERY_MS).unref()
    },
    sayFailing: async (failing) => {
      const word: Word = { kind: 'failing', ...failing }
      const sent = new Promise<void>((resolve) => {
        if (process.connected) process.send?.(word, undefined, undefined, () => resolve())
        else resolve()
      })
      await Promise.race([sent, clock.sleep(LAST_WORD_LIMIT_MS)])
    },
    onReport: (make) => {
      makeReport = make
    },
    onStop: (listener) => {
      stop = listener
      if (stopLimitMs !== undefined) listener(stopLimitMs)
    },
    askRestart: () => tell({ kind: 'restart' }),
    askReports: (withMetrics) => {
      const id = ++lastId
      return new Promise((resolve) => {
        const over = new AbortController()
        const answer = (reports: Report[]): void => {
          waiting.delete(id)
          over.abort()
          resolve(reports)
        }
        waiting.set(id, answer)
        void clock.sleep(ASK_LIMIT_MS, over.signal).then(() => waiting.get(id)?.([]))
        tell({ kind: 'ask', id, withMetrics })
      })
    },
  }
}

/** Returns the heartbeat of the event loop. After its first call, the process ends when the calls
 *  stop. */
function startWatcher(parent: number, limitMs: number): () => void {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const limits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4, stackSizeMb: 1 }
  const watcher = new Worker(WATCHER, {
    eval: true,
    workerData: { parent, beats, limitMs },
    resourceLimits: limits,
  })
  // Without it the 'disconnect' above still ends an idle process.
  watcher.on('error', () => undefined)
  watcher.unref()
  return () => void Atomics.add(beats, 0, 1)
}
