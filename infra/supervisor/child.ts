// One role process of the supervisor: started, started again when it ends, asked for reports,
// stopped within a limit.
import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { Backoff } from './backoff.ts'
import { EarlyFailures, type Ending } from './early-failures.ts'
import { type Order, type Report, wordSchema } from './messages.ts'

const REPORT_LIMIT_MS = 1000
/** A process that hangs in the kernel outlives its kill. */
const KILLED_LIMIT_MS = 2000
/** What lived so long did come up, whatever it waits for. */
const LONG_LIFE_MS = 30_000

export type ChildPlan = {
  /** Also the label of its metrics and its name in logs. */
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  /** 0 is normal; higher gives way to others. */
  readonly niceness: number
  /** From the word to stop until it is killed. */
  readonly stopLimitMs: number
}

type Surroundings = {
  readonly clock: Clock
  readonly logger: Logger
  /** A child wants the reports of all. */
  readonly onAsk: (withMetrics: boolean) => Promise<Report[]>
  /** It ended by itself. False: it is not started again. */
  readonly onExit: (name: string, ending: Ending, isHopeless: boolean) => boolean
  /** A child asks for all processes anew. */
  readonly onRestart: () => void
}

export class Child {
  readonly name: string
  #plan: ChildPlan
  readonly #around: Surroundings
  readonly #backoff = new Backoff()
  readonly #stopping = new AbortController()
  readonly #waiting = new Map<number, (report: Report | undefined) => void>()
  #process: ChildProcess | undefined
  #exited: Promise<void> = Promise.resolve()
  readonly #failures = new EarlyFailures()
  #hasRun = false
  /** Until it is started anew. */
  #isHalted = false
  #failing: Ending['failing']
  #lastId = 0

  constructor(plan: ChildPlan, around: Surroundings) {
    this.name = plan.name
    this.#plan = plan
    this.#around = around
  }

  get pid(): number | undefined {
    return this.#process?.pid
  }

  start(): void {
    if (this.#stopping.signal.aborted || this.#isHalted || this.#process !== undefined) return
    const { clock } = this.#around
    const { command, args, environment, niceness } = this.#plan
    const beginMs = clock.elapsedMs()
    const child = spawn(command, args, {
      env: { ...environment },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#process = child
    this.#hasRun = false
    this.#failing = undefined
    // At once, so that the threads it makes later inherit it.
    if (child.pid !== undefined) lowerPriority(child.pid, niceness)
    child.on('message', (message) => this.#hear(message))
    this.#exited = new Promise((resolve) => {
      const end = (status: number | null, signal: string | null): void => {
        if (this.#process !== child) return
        this.#process = undefined
        this.#forgetWaiting()
        resolve()
        if (this.#stopping.signal.aborted || this.#isHalted) return
        const ending = { status, signal, failing: this.#failing, hasRun: this.#hasRun }
        this.#startAgain(ending, clock.elapsedMs() - beginMs)
      }
      child.once('exit', end)
      // Could not be spawned at all.
      child.once('error', (error) => {
        this.#failing = { reason: `it cannot be started (${error.message})`, isPassing: false }
        end(null, null)
      })
    })
  }

  #startAgain(ending: Ending, livedMs: number): void {
    const { logger, onExit } = this.#around
    if (livedMs >= LONG_LIFE_MS) this.#failures.ready()
    if (!onExit(this.name, ending, this.#failures.add(ending))) {
      this.#stopping.abort()
      return
    }
    const delayMs = this.#backoff.next(livedMs, ending.hasRun ? 'ran' : 'neverRan')
    const { status, signal } = ending
    const lived = { livedMs: Math.round(livedMs), delayMs }
    logger.warn('process ended, starting it again', {
      child: this.name,
      status,
      signal,
      ...lived,
    })
    void this.#startLater(delayMs)
  }

  /** The product was ready as a whole. */
  markReady(): void {
    this.#failures.ready()
  }

  /** undefined when it is away or does not answer within a second. */
  report(withMetrics: boolean): Promise<Report | undefined> {
    const id = ++this.#lastId
    return new Promise((resolve) => {
      if (!this.#tell({ kind: 'report', id, withMetrics })) return resolve(undefined)
      const over = new AbortController()
      this.#waiting.set(id, (report) => {
        this.#waiting.delete(id)
        over.abort()
        resolve(report)
      })
      void this.#around.clock
        .sleep(REPORT_LIMIT_MS, over.signal)
        .then(() => this.#waiting.get(id)?.(undefined))
    })
  }

  /** Asks it to end, and ends it when it has not within its limit. It is not started again. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#end()
  }

  /** As `stop`, until `startAnew`. */
  async halt(): Promise<void> {
    this.#isHalted = true
    await this.#end()
  }

  /** `plan`: where another one holds from now on. */
  startAnew(plan: ChildPlan = this.#plan): void {
    this.#plan = plan
    this.#isHalted = false
    this.start()
  }

  async #end(): Promise<void> {
    const limitMs = this.#plan.stopLimitMs
    if (this.#process === undefined) return
    // Half a report's answer is no reason to wait; the child is told its own limit, a little
    // shorter than ours.
    this.#tell({ kind: 'stop', limitMs: Math.max(0, limitMs - 200) })
    if (await this.#exitedWithin(limitMs)) return
    this.#around.logger.warn('process does not stop, killing it', { child: this.name })
    this.#process?.kill('SIGKILL')
    await this.#exitedWithin(KILLED_LIMIT_MS)
  }

  async #exitedWithin(limitMs: number): Promise<boolean> {
    const over = new AbortController()
    const late = this.#around.clock.sleep(limitMs, over.signal).then(() => false)
    const hasExited = await Promise.race([this.#exited.then(() => true), late])
    over.abort()
    return hasExited
  }

  /** Kills it at once, without a log line. It is not started again. */
  kill(): void {
    this.#stopping.abort()
    this.#process?.kill('SIGKILL')
  }

  async #startLater(delayMs: number): Promise<void> {
    await this.#around.clock.sleep(delayMs, this.#stopping.signal)
    this.start()
  }

  #tell(order: Order): boolean {
    if (this.#process?.connected !== true) return false
    // The callback takes the error of a child that has ended meanwhile.
    this.#process.send(order, () => undefined)
    return true
  }

  #hear(message: unknown): void {
    const word = wordSchema.safeParse(message)
    if (!word.success) return
    const { data } = word
    if (data.kind === 'open') this.#hasRun = true
    else if (data.kind === 'failing') this.#failing = data
    else if (data.kind === 'restart') this.#around.onRestart()
    else if (data.kind === 'report') this.#hearReport(data.id, data.report)
    else void this.#answer(data.id, data.withMetrics)
  }

  #hearReport(id: number, report: Report): void {
    if (Object.values(report.ready).every(Boolean)) this.#failures.ready()
    this.#waiting.get(id)?.(report)
  }

  async #answer(id: number, withMetrics: boolean): Promise<void> {
    const reports = await this.#around.onAsk(withMetrics)
    this.#tell({ kind: 'reports', id, reports })
  }

  #forgetWaiting(): void {
    for (const answer of this.#waiting.values()) answer(undefined)
  }
}

function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness)
  } catch {
    // It has ended already, or the system does not allow it: only the balance under load suffers.
  }
}
