// Holds a campaign on any form of the product: rounds of planned faults under senders, everything
// read back after each round and once more at the end.
import { spawnSync } from 'node:child_process'
import { setTimeout as setTimer } from 'node:timers/promises'
import { makeSearchClient } from '../../../test/support/clients/search-client.ts'
import { mulberry32 } from '../../support/events.ts'
import type { Finding } from './finding.ts'
import { compareLedgers, type Ledger, readLedger } from './ledger.ts'
import { hostOf } from './numbered-events.ts'
import { type PlannedStrike, printOfPlan, type Round } from './plan.ts'
import { checkCounters, type Reader, readBack } from './read-back.ts'
import { type Senders, type Sent, startSenders } from './senders.ts'
import { Stops } from './stops.ts'
import type { Fault, Target } from './target.ts'

/** After the last fault of a round: a restart, an insert that waits between its tries. */
const READY_LIMIT_MS = 120_000
/** A fault waits for what comes back, and for requests to end. */
const STRIKE_LIMIT_MS = 300_000
const HOLD_LIMIT_MS = 180_000
const SETTLE_LIMIT_MS = 180_000
const UNCHANGED_MS = 8000
const POLL_MS = 100
/** A double would come late: from a writer that takes up its work once more. */
const LATE_MS = 2000
/** What is under way after an answer that was given up. */
const QUIET_MS = 200
const SHOWN_FINDINGS = 20

export type FaultSum = {
  readonly fault: string
  times: number
  acknowledged: number
  lost: number
  doubled: number
  longestStopMs: number
}

export type Summary = {
  readonly isRight: boolean
  readonly form: string
  readonly commit: string
  readonly seed: number
  readonly plan: string
  readonly faults: readonly FaultSum[]
  readonly struck: number
  readonly acknowledged: number
  readonly repeatedRequests: number
  readonly statuses: Readonly<Record<string, number>>
  readonly findings: Readonly<Record<string, number>>
  /** How often received = stored + rejected + repeated + dropped was compared. */
  readonly ledgersCompared: number
  readonly problems: readonly string[]
  readonly seconds: number
}

export type CampaignOptions = {
  readonly target: Target
  readonly faults: readonly Fault[]
  readonly rounds: readonly Round[]
  readonly seed: number
  readonly senders: number
  readonly searchableLimitMs: number
  readonly say?: (text: string) => void
}

export async function runCampaign(options: CampaignOptions): Promise<Summary> {
  return await new Campaign(options).run()
}

/** Where each sender stood when a fault began. */
type Mark = { readonly fault: string; readonly numbers: ReadonlyMap<string, number> }

class Campaign {
  readonly #options: CampaignOptions
  readonly #sums: Map<string, FaultSum>
  readonly #stops = new Stops()
  readonly #senders: Senders
  readonly #marks: Mark[] = []
  readonly #findings: Finding[] = []
  readonly #problems: string[] = []
  #struck = 0
  #compared = 0
  #current: string | undefined

  constructor(options: CampaignOptions) {
    this.#options = options
    const { faults, target, senders, seed } = options
    const none = { times: 0, acknowledged: 0, lost: 0, doubled: 0, longestStopMs: 0 }
    this.#sums = new Map(faults.map(({ name }) => [name, { fault: name, ...none }]))
    this.#senders = startSenders({
      ...{ target, senders, seed },
      onAcknowledged: (events) => {
        this.#stops.acknowledged()
        const sum = this.#sums.get(this.#current ?? '')
        if (sum !== undefined) sum.acknowledged += events
      },
    })
  }

  async run(): Promise<Summary> {
    const beginMs = performance.now()
    const { rounds, target } = this.#options
    try {
      // What the target itself was given before is on its way.
      await until(async () => (await this.#ledger())?.waiting === 0, SETTLE_LIMIT_MS)
      let ledger: Ledger | undefined = await this.#ledger()
      for (const [at, round] of rounds.entries()) {
        this.#stops.resume()
        this.#senders.release(at)
        for (const keeper of target.keepers ?? []) keeper.release()
        for (const strike of round.strikes) await this.#strike(strike, at)
        const sent = await this.#settle(at)
        const found = await this.#check(sent)
        ledger = await this.#compareLedgers(ledger, round)
        this.#say(
          `round ${at + 1} of ${rounds.length}: ${this.#struck} faults, ${this.#senders.acknowledged()} acknowledged, ${found} wrong`,
        )
        if (found > 0) break
      }
      await sleep(LATE_MS)
      // Everything once more: what was right after its round may have gone since.
      if (this.#findings.length === 0) await this.#check(this.#senders.sent())
    } catch (error) {
      this.#problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    } finally {
      for (const keeper of target.keepers ?? []) await keeper.end()
      await this.#senders.end()
    }
    if (this.#isRight) this.#problems.push(...(await target.stop()))
    if (!this.#isRight) this.#say(target.output())
    return this.#summary(Math.round((performance.now() - beginMs) / 1000))
  }

  get #isRight(): boolean {
    return this.#findings.length === 0 && this.#problems.length === 0
  }

  async #strike(planned: PlannedStrike, round: number): Promise<void> {
    await sleep(planned.gapMs)
    const fault = this.#options.faults.find((it) => it.name === planned.fault)
    const sum = this.#sums.get(planned.fault)
    if (fault === undefined || sum === undefined) throw new Error(`no fault ${planned.fault}`)
    this.#current = fault.name
    this.#stops.strike(fault.name)
    const now = this.#senders.sent().filter((it) => it.round === round)
    const numbers = new Map(now.map((it) => [hostOf(it), it.events]))
    this.#marks.push({ fault: fault.name, numbers })
    sum.times += 1
    this.#struck += 1
    const { durationMs, seed } = planned
    const struck = fault.strike({
      ...{ durationMs, random: mulberry32(seed) },
      quietly: async (work) => {
        await this.#hold()
        await sleep(QUIET_MS)
        await work()
        this.#stops.resume()
        this.#senders.release(round)
      },
    })
    await within(struck, durationMs + STRIKE_LIMIT_MS, fault.name)
  }

  async #hold(): Promise<void> {
    await this.#senders.hold(HOLD_LIMIT_MS)
    this.#stops.pause()
  }

  /** Nothing under way any more: every request is answered and the event log is empty. Resolves
   *  with what was sent in the round. */
  async #settle(round: number): Promise<Sent[]> {
    const { target } = this.#options
    await this.#hold()
    await target.untilReady(READY_LIMIT_MS)
    for (const keeper of target.keepers ?? []) await keeper.hold(HOLD_LIMIT_MS)
    await until(async () => (await this.#ledger())?.waiting === 0, SETTLE_LIMIT_MS)
    const sent = this.#senders.sent().filter((it) => it.round === round)
    await this.#untilSearchable(sent)
    return sent
  }

  /** A writer that has just begun says nothing of what waits for it yet. What does not come for a
   *  while, with nothing on its way, is lost. */
  async #untilSearchable(sent: readonly Sent[]): Promise<void> {
    const { target, searchableLimitMs } = this.#options
    const search = makeSearchClient(target.searchUrl(), target.secrets.password)
    const total = sent.reduce((sum, it) => sum + it.events, 0)
    let last = -1
    let sinceMs = performance.now()
    await until(async () => {
      let there = 0
      for (const it of sent) there += await search.count(`* in server.${hostOf(it)}`)
      const isWaiting = (await this.#ledger())?.waiting !== 0
      if (there !== last || isWaiting) sinceMs = performance.now()
      last = there
      return there >= total || performance.now() - sinceMs > UNCHANGED_MS
    }, searchableLimitMs)
  }

  /** How much is wrong. */
  async #check(sent: readonly Sent[]): Promise<number> {
    const { target } = this.#options
    const { password } = target.secrets
    const url = target.searchUrl()
    const reader: Reader = { url, password, search: makeSearchClient(url, password) }
    const before = this.#findings.length
    for (const each of sent) this.#findings.push(...(await readBack(reader, each)))
    let gone = 0
    for (const keeper of target.keepers ?? []) {
      const kept = await keeper.check()
      this.#say(kept.told)
      this.#findings.push(...kept.findings)
      gone += kept.gone
    }
    this.#findings.push(...(await checkCounters(reader.search, gone)))
    const total = sent.reduce((sum, it) => sum + it.events, 0)
    if (sent.length > 0) {
      const hosts = sent.length === this.#senders.sent().length ? ['chaos*'] : sent.map(hostOf)
      let there = 0
      for (const host of hosts) there += await reader.search.count(`* in server.${host}`)
      if (there !== total && this.#findings.length === before)
        this.#findings.push({
          kind: 'miscounted',
          host: '',
          text: `a count gives ${there} events instead of ${total}`,
        })
    }
    return this.#findings.length - before
  }

  /** The sums are comparable while every process that counts has lived since. */
  async #compareLedgers(before: Ledger | undefined, round: Round): Promise<Ledger | undefined> {
    let after: Ledger | undefined
    // A process that is busy may be late with its numbers, and the searches of the check have left
    // lines of the audit log that are on their way.
    await until(async () => {
      after = (await this.#ledger()) ?? after
      return after?.waiting === 0
    }, this.#options.searchableLimitMs)
    if (after === undefined) throw new Error('the metrics cannot be read')
    const faults = new Map(this.#options.faults.map((it) => [it.name, it]))
    const hasEnded = round.strikes.some((it) => faults.get(it.fault)?.endsCounts !== false)
    if (before !== undefined && after !== undefined && !hasEnded) {
      this.#compared += 1
      const wrong = compareLedgers(before, after)
      if (wrong !== undefined) this.#findings.push({ kind: 'miscounted', host: '', text: wrong })
    }
    return after
  }

  async #ledger(): Promise<Ledger | undefined> {
    try {
      return readLedger(await this.#options.target.readMetrics())
    } catch {
      return undefined
    }
  }

  #summary(seconds: number): Summary {
    for (const sum of this.#sums.values()) sum.longestStopMs = this.#stops.longestMs(sum.fault)
    const kinds: Record<string, number> = { lost: 0, doubled: 0 }
    for (const finding of this.#findings) {
      kinds[finding.kind] = (kinds[finding.kind] ?? 0) + 1
      if (finding.kind !== 'lost' && finding.kind !== 'doubled') continue
      const sum = this.#sums.get(this.#faultOf(finding.host, finding.number) ?? '')
      if (sum !== undefined) sum[finding.kind] += 1
    }
    for (const finding of this.#findings.slice(0, SHOWN_FINDINGS))
      this.#say(JSON.stringify(finding))
    const { target, seed, rounds } = this.#options
    return {
      isRight: this.#isRight,
      form: target.form,
      commit: readCommit(),
      seed,
      plan: printOfPlan(rounds),
      faults: [...this.#sums.values()],
      struck: this.#struck,
      acknowledged: this.#senders.acknowledged(),
      repeatedRequests: this.#senders.repeated(),
      statuses: Object.fromEntries(this.#senders.statuses),
      findings: kinds,
      ledgersCompared: this.#compared,
      problems: this.#problems,
      seconds,
    }
  }

  /** Under which fault an event was first sent. */
  #faultOf(host: string, number: number): string | undefined {
    return this.#marks.findLast(
      (mark) => (mark.numbers.get(host) ?? Number.POSITIVE_INFINITY) <= number,
    )?.fault
  }

  #say(text: string): void {
    const { say = console.log } = this.#options
    say(text)
  }
}

/** Of the sources that the program was built from, as far as they can be told. */
function readCommit(): string {
  const git = (...words: string[]) =>
    spawnSync('git', words, { cwd: import.meta.dirname, encoding: 'utf8' })
  const { status, stdout } = git('rev-parse', '--short=12', 'HEAD')
  if (status !== 0) return process.env.LOGEYE_TEST_COMMIT ?? 'unknown'
  const isChanged = git('status', '--porcelain').stdout.trim() !== ''
  return isChanged ? `${stdout.trim()}+changes` : stdout.trim()
}

async function within(work: Promise<void>, limitMs: number, name: string): Promise<void> {
  const over = new AbortController()
  const late = setTimer(limitMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(`the fault '${name}' was not over after ${limitMs} ms`)
  })
  late.catch(() => undefined)
  await Promise.race([work, late])
  over.abort()
}

/** Gives up silently: the next look finds what is missing. */
async function until(isTrue: () => Promise<boolean>, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!(await isTrue()) && performance.now() < deadline) await sleep(POLL_MS)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
