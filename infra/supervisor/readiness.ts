// Whether the parts of a process are ready, and why not: for its report, and as a line of its log
// whenever that changes.
import type { Clock } from '../clock.ts'
import { describeError, type LogFields, type Logger } from '../logger.ts'

/** true; or why not: in words, or as a failure. What hangs does not answer. */
export type PartCheck = () => PartWord | Promise<PartWord>
type PartWord = boolean | string

export type PartState = { readonly isReady: boolean; readonly cause: LogFields }

const CHECK_LIMIT_MS = 700
/** With the limit of a check below the two seconds within which a change is told. */
const WATCH_MS = 700
/** What is not there at the start may still come, as long as a first start may take; later it is
 *  said. */
const START_MS = 15_000

const READY: PartState = { isReady: true, cause: {} }

export async function checkPart(check: PartCheck, clock: Clock): Promise<PartState> {
  const over = new AbortController()
  try {
    const late = clock.sleep(CHECK_LIMIT_MS, over.signal).then(() => 'does not answer')
    const word = await Promise.race([Promise.resolve().then(check), late])
    if (word === true) return READY
    return { isReady: false, cause: { cause: word === false ? 'not ready' : word } }
  } catch (error) {
    return { isReady: false, cause: describeError(error) }
  } finally {
    over.abort()
  }
}

/** Logs each change of a part until the signal aborts: `since` is when it was last seen ready.
 *  Begin it when all parts are there. */
export async function watchReadiness(options: {
  readonly parts: ReadonlyMap<string, PartCheck>
  readonly clock: Clock
  readonly logger: Logger
  readonly signal: AbortSignal
}): Promise<void> {
  const { parts, clock, logger, signal } = options
  const beginMs = clock.elapsedMs()
  const seen = new Map<string, Seen>()
  while (!signal.aborted) {
    const checks = [...parts].map(async ([part, check]) => {
      const state = await checkPart(check, clock)
      if (signal.aborted) return
      const before = seen.get(part)
      if (before === undefined && !state.isReady && clock.elapsedMs() - beginMs < START_MS) return
      seen.set(part, tellChange({ part, state, before, nowMs: clock.nowMs(), logger }))
    })
    await Promise.all(checks)
    await clock.sleep(WATCH_MS, signal)
  }
}

type Seen = { readonly isReady: boolean; readonly readyMs: number | undefined }

function tellChange(change: {
  part: string
  state: PartState
  before: Seen | undefined
  nowMs: number
  logger: Logger
}): Seen {
  const { part, state, before, nowMs, logger } = change
  const { isReady } = state
  const readyMs = isReady ? nowMs : before?.readyMs
  if (isReady === (before?.isReady ?? true)) return { isReady, readyMs }
  const since = before?.readyMs === undefined ? null : new Date(before.readyMs).toISOString()
  if (isReady) logger.info('part is ready again', { part, missedSince: since })
  else logger.warn('part is not ready', { part, ...state.cause, since })
  return { isReady, readyMs: isReady ? nowMs : before?.readyMs }
}
