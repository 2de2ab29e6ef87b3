// The frame of a role process: opens what it is given to open, reports, stops in reverse order on
// word of the supervisor or a signal.

import { isFailure } from '../../schemas/failures.ts'
import { type Clock, systemClock } from '../clock.ts'
import { Lifecycle } from '../lifecycle.ts'
import { describeError, type Logger, type LogLevel, makeLogger } from '../logger.ts'
import { type Metrics, openMetrics } from '../metrics.ts'
import { missingBinary } from '../missing-binary.ts'
import { openSupervisorLink, type SupervisorLink } from './link.ts'
import { EXIT_REFUSED, type Report, type Supervision } from './messages.ts'
import { PROCESSES } from './processes.ts'
import { checkPart, type PartCheck, watchReadiness } from './readiness.ts'

const UNSUPERVISED_STOP_MS: number = PROCESSES.all.stopLimitMs
const MAX_REASON_LENGTH = 300

export type RoleContext = {
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly lifecycle: Lifecycle
  /** Parts by name; each says whether it is ready, or why not. What hangs counts as not ready. */
  readonly parts: Map<string, PartCheck>
  /** Reports of all processes; without a supervisor, of this one. */
  readonly reports: (withMetrics: boolean) => Promise<Report[]>
  /** Asks the supervisor to end all processes and to start them anew; undefined: there is none. */
  readonly askRestart: (() => void) | undefined
  /** Of the process configuration; undefined: there is none. */
  readonly configFile: string | undefined
  /** Milliseconds that a stop may take, from its begin; known then. */
  readonly stopLimitMs: () => number
}

export async function runRoleProcess(
  options: {
    name: string
    level: LogLevel
    supervision: Supervision | undefined
    configFile?: string | undefined
  },
  open: (context: RoleContext) => Promise<void>,
): Promise<void> {
  const { name, supervision } = options
  const clock = systemClock
  const logger = makeLogger({ level: options.level, process: name, clock })
  const metrics = openMetrics(name)
  const lifecycle = new Lifecycle(clock, logger)
  const parts: RoleContext['parts'] = new Map()
  const watching = new AbortController()
  let isOpen = false
  let stopLimitMs = UNSUPERVISED_STOP_MS

  const report = async (withMetrics: boolean): Promise<Report> => {
    const entries = [...parts].map(async ([part, check]) => {
      const { isReady } = await checkPart(check, clock)
      return [part, isReady] as const
    })
    const ready = { started: isOpen, ...Object.fromEntries(await Promise.all(entries)) }
    return { process: name, ready, metrics: withMetrics ? await metrics.text() : '' }
  }
  let isStopping = false
  const stop = async (limitMs: number): Promise<void> => {
    if (isStopping) return
    isStopping = true
    watching.abort()
    stopLimitMs = limitMs
    logger.info('process stops')
    await lifecycle.stop()
    process.exit(0)
  }

  const link = supervision === undefined ? undefined : openSupervisorLink(supervision, clock)
  const dying = { logger, link, isOpen: () => isOpen }
  process.on('uncaughtException', (error) => void die(dying, 'uncaught error', error))
  process.on('unhandledRejection', (error) => void die(dying, 'unhandled rejection', error))
  link?.onReport(report)
  link?.onStop((limitMs) => void stop(limitMs))
  listenToSignals(supervision !== undefined, stop)

  try {
    await open({
      clock,
      logger,
      metrics,
      lifecycle,
      parts,
      reports: (withMetrics) =>
        link?.askReports(withMetrics) ?? report(withMetrics).then((own) => [own]),
      askRestart: link && (() => link.askRestart()),
      configFile: options.configFile,
      stopLimitMs: () => stopLimitMs,
    })
    isOpen = true
    link?.sayOpen()
    logger.info('process runs')
    void watchReadiness({ parts, clock, logger, signal: watching.signal })
  } catch (error) {
    if (!isStopping) await refuse(dying, error)
  }
}

/** Ctrl-C in a terminal and service managers signal the whole group: a supervised process waits for
 *  the supervisor's word, which keeps the order. */
function listenToSignals(isSupervised: boolean, stop: (limitMs: number) => Promise<void>): void {
  let count = 0
  const onSignal = (): void => {
    if (isSupervised) return
    count += 1
    if (count > 1) process.exit(1)
    void stop(UNSUPERVISED_STOP_MS)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

type Dying = {
  readonly logger: Logger
  readonly link: SupervisorLink | undefined
  readonly isOpen: () => boolean
}

/** What may succeed later ends the process for a new try; anything else is said once and is final
 *  during a start. */
async function refuse(dying: Dying, error: unknown): Promise<void> {
  const refusal = missingBinary(error) ?? error
  if (!isFailure(refusal) || refusal.entry.retriable === true)
    return await die(dying, 'process cannot start', refusal)
  // Without a supervisor nobody else says it.
  if (dying.link === undefined) process.stderr.write(`logeye: ${refusal.message}\n`)
  await dying.link?.sayFailing({ reason: refusal.message, isPassing: false })
  process.exit(EXIT_REFUSED)
}

async function die(
  { logger, link, isOpen }: Dying,
  message: string,
  error: unknown,
): Promise<void> {
  const isStart = !isOpen()
  // A bug at a start ends the product with one line, which says it: the stack is for who looks for
  // it.
  const reason = reasonOf(error, isStart)
  if (isStart && link !== undefined && !isFailure(error)) {
    logger.warn(message, { reason })
    logger.debug(message, describeError(error))
  } else logger.error(message, describeError(error))
  const isPassing = isFailure(error) && error.entry.retriable === true
  const said = link?.sayFailing({ reason, isPassing })
  // What is broken amid its work does nothing more.
  if (isStart) await said
  process.exit(1)
}

/** Once events are at work the text of an error may quote them; until then it is about the
 *  machine. */
function reasonOf(error: unknown, isStart: boolean): string {
  if (isFailure(error)) return error.message
  if (!(error instanceof Error)) return 'an unknown error'
  const [firstLine = ''] = error.message.split('\n')
  return isStart && firstLine !== '' ? firstLine.slice(0, MAX_REASON_LENGTH) : error.name
}
