// The job that reports to the portal (decision 9.6, docs/decisions/0060). Nothing waits for it: the
// portal may be away for as long as it likes. What is due is what the counters have and the portal
// has not acknowledged, so that a report that is repeated, cut off or late changes no sum.

import { MAX_METERS } from '../../schemas/portal/deployments.ts'
import type { DatabaseTransaction } from '../database/port.ts'
import type { Job, JobContext } from '../scheduler/job.ts'
import type { SecretKeys } from '../secrets/secret-keys.ts'
import { lookAtEntitlement } from '../signed-documents/entitlement.ts'
import { openToken, sealToken } from './deployment-token.ts'
import { lookAtKept } from './look-at-portal.ts'
import { LONGEST_WAIT_MS, waitAfterFailure, waitAfterReport } from './next-heartbeat.ts'
import { keepPortalLink, newLink, type PortalLink, readPortalLink, setupOf } from './portal-link.ts'
import { HOUR_MS, readCounted } from './read-counted.ts'
import {
  dropReported,
  findDue,
  type HourAmount,
  type Hours,
  markReported,
  readReported,
} from './reported-hours.ts'
import {
  fail,
  type PortalAnswer,
  type PortalFailure,
  readPortalKey,
  sendHeartbeat,
} from './send-heartbeat.ts'
import type { HeartbeatTelemetry } from './telemetry.ts'

const EVERY_MS = 2000
const LIMIT_MS = 600_000
/** What the portal takes, less a day for clocks. */
const OLDEST_HOURS = 399 * 24
/** Counters of an older hour change seldom: they are compared once a day. */
const RECENT_HOURS = 72
const LOOK_EVERY_MS = 24 * HOUR_MS
const FORGOTTEN_HOURS = 500 * 24

/** What the report says of the installation. */
export type Installation = {
  readonly fingerprint: string
  readonly version: string
  /** The name that it has where no operator gave one. */
  readonly nodeName: string
  readonly describe: () => Promise<{
    readonly layout: 'V7' | 'X8'
    readonly nodes: readonly { name: string; role: string; version: string }[]
  }>
}

type Deps = {
  readonly installation: Installation
  readonly keys: SecretKeys
  readonly telemetry: HeartbeatTelemetry
}

export function makeHeartbeat(deps: Deps): Job {
  return {
    name: 'heartbeat',
    everyMs: EVERY_MS,
    limitMs: LIMIT_MS,
    run: async (context) => {
      const { metastore, clock, database } = context
      const portalUrl = metastore.setting('system.portalUrl')
      const licenseKey = metastore.setting('system.portalLicenseKey')
      if (portalUrl === '' || licenseKey === '') return deps.telemetry.isOff()
      const setup = setupOf(portalUrl, licenseKey)
      const kept = await readPortalLink(database.read)
      const isNew = kept?.setup !== setup
      const link = isNew ? newLink(setup, clock.nowMs()) : kept
      const waitMs = link.next_ms - clock.nowMs()
      // A longer wait was never meant: the time of day was set back.
      if (waitMs > 0 && waitMs <= LONGEST_WAIT_MS) return
      await new Heartbeat(deps, context, { portalUrl, licenseKey }, { link, isNew }).run()
    },
  }
}

/** One heartbeat: as many calls as its meters need. */
class Heartbeat {
  readonly #deps: Deps
  readonly #context: JobContext
  readonly #portal: { readonly portalUrl: string; readonly licenseKey: string }
  #link: PortalLink
  /** Nothing of the link is kept yet. */
  #isNew: boolean
  /** An operator has set up the portal anew: what we do is over. */
  #isOver = false

  constructor(
    deps: Deps,
    context: JobContext,
    portal: { readonly portalUrl: string; readonly licenseKey: string },
    { link, isNew }: { readonly link: PortalLink; readonly isNew: boolean },
  ) {
    this.#deps = deps
    this.#context = context
    this.#portal = portal
    this.#link = link
    this.#isNew = isNew
  }

  async run(): Promise<void> {
    const failure = await this.#report()
    const { signal, clock } = this.#context
    // Cut off by a stop: the next leader begins anew.
    if (signal.aborted || this.#isOver) return
    if (failure !== undefined) await this.#keepFailure(failure)
    const { fingerprint } = this.#deps.installation
    const { entitlement } = lookAtKept(this.#link, { fingerprint, nowMs: clock.nowMs() })
    this.#deps.telemetry.told(this.#link, entitlement?.end ?? 0)
  }

  async #report(): Promise<PortalFailure | undefined> {
    let token = openToken(this.#link.token, this.#deps.keys)
    let isNew = false
    // The token of a deployment may have ended; then the licence key brings a new one, once.
    for (let tries = 0; tries < 2; tries += 1) {
      if (token === undefined) {
        const registered = await this.#register()
        if (registered.kind === 'failed') return registered
        token = registered.token
        isNew = true
      }
      const failure = await this.#reportHours(token)
      if (failure?.failure !== 'unauthenticated' || isNew) return failure
      token = undefined
    }
    return undefined
  }

  /** The first contact reports no hours: of which deployment they are is known after it. */
  async #register(): Promise<{ readonly kind: 'token'; readonly token: string } | PortalFailure> {
    const { database, clock } = this.#context
    // Before a token is asked for that could not be kept.
    const key = await this.#deps.keys.current(database.read)
    const pinned = await this.#pin()
    if (pinned !== undefined) return pinned
    const called = await this.#call(this.#portal.licenseKey, [])
    if (called.kind === 'failed') return called
    const { deploymentId, deploymentToken: token } = called.answer
    if (token === undefined) return fail('no_portal', 'the portal gave no token')
    const sealed = sealToken(key, token, clock)
    const link = { ...this.#link, token: sealed, deployment_id: deploymentId }
    await this.#keepAnswer({ ...link, looked_ms: 0 }, called.answer, {
      marked: [],
      claim: true,
    })
    return { kind: 'token', token }
  }

  /** Once for an address and key: later ones must be the same. */
  async #pin(): Promise<PortalFailure | undefined> {
    if (this.#link.portal_key !== '') return undefined
    const read = await readPortalKey(this.#around)
    if (read.kind === 'failed') return read
    this.#link = { ...this.#link, portal_key: read.publicKey }
    return undefined
  }

  async #reportHours(token: string): Promise<PortalFailure | undefined> {
    const { clock } = this.#context
    // The counters are not read for a portal that is away.
    if (this.#link.failures > 0) {
      const called = await this.#call(token, [])
      if (called.kind === 'failed') return called
    }
    const nowMs = clock.nowMs()
    const current = Math.floor(nowMs / HOUR_MS)
    const isFull = nowMs - this.#link.looked_ms >= LOOK_EVERY_MS || nowMs < this.#link.looked_ms
    const fromHour = current - (isFull ? OLDEST_HOURS : RECENT_HOURS)
    const counted = await this.#readCounted(fromHour)
    const due = counted === undefined ? [] : await this.#findDue(counted, fromHour)
    let left = due.length
    let refused = 0
    // Without a meter it says that the deployment is there.
    for (let at = 0; at === 0 || at < due.length; at += MAX_METERS) {
      if (this.#context.signal.aborted || this.#isOver) return undefined
      const sent = due.slice(at, at + MAX_METERS)
      this.#link = { ...this.#link, due_hours: left, refused_hours: refused }
      const called = await this.#call(token, sent)
      if (called.kind === 'failed') return called
      const { answer } = called
      const errors = new Set(answer.errors.map(({ index }) => index))
      refused += errors.size
      if (errors.size > 0) this.#tellErrors(sent, answer)
      const marked = sent.filter((_, index) => !errors.has(index))
      left -= marked.length
      const isLast = at + MAX_METERS >= due.length
      const looked = isLast && isFull && counted !== undefined ? { looked_ms: nowMs } : {}
      const link = { ...this.#link, ...looked, due_hours: left, refused_hours: refused }
      await this.#keepAnswer(link, answer, { marked, claim: false })
    }
    return undefined
  }

  async #findDue(counted: Hours, fromHour: number): Promise<HourAmount[]> {
    const { portal_key: portalKey, deployment_id: deploymentId } = this.#link
    const { database } = this.#context
    return findDue(
      counted,
      await readReported(database.read, { portalKey, deploymentId, fromHour }),
    )
  }

  /** undefined while the store is away: the deployment is alive all the same. */
  async #readCounted(fromHour: number): Promise<Hours | undefined> {
    try {
      return await readCounted(this.#context, { fromHour })
    } catch (error) {
      this.#deps.telemetry.notCounted(error)
      return undefined
    }
  }

  async #call(credential: string, hours: readonly HourAmount[]) {
    const { installation } = this.#deps
    const { fingerprint, version, nodeName } = installation
    const name = this.#context.metastore.setting('system.deploymentName') || nodeName
    const meters = hours.map(({ hour, events, bytes }) => ({
      ...{ hour: new Date(hour * HOUR_MS).toISOString(), events, bytes },
    }))
    const report = { fingerprint, name, version, ...(await installation.describe()), meters }
    const called = await sendHeartbeat(this.#around, credential, report)
    if (called.kind === 'failed') return called
    // Whoever cannot sign as the portal did that was seen first may be another one: what it says
    // that it has taken does not count.
    const look = lookAtEntitlement(called.answer.entitlement, {
      ...{ portalKey: this.#link.portal_key, fingerprint },
      ...{ deploymentId: called.answer.deploymentId, nowMs: Date.parse(called.answer.serverTime) },
    })
    if (look.state === 'active' || look.state === 'ending') return called
    return fail('other_key', `its entitlement does not count: ${look.reason || look.state}`)
  }

  async #keepAnswer(
    link: PortalLink,
    answer: PortalAnswer,
    { marked, claim }: { readonly marked: readonly HourAmount[]; readonly claim: boolean },
  ): Promise<void> {
    const { clock, database } = this.#context
    const nowMs = clock.nowMs()
    const kept: PortalLink = {
      ...link,
      entitlement: answer.entitlement,
      license_state: answer.license.state,
      ...{ failure: '', reason: '', failures: 0, reached_ms: nowMs },
      next_ms: nowMs + waitAfterReport(answer.nextHeartbeatSeconds, clock),
    }
    const key = claim ? await this.#deps.keys.current(database.read) : undefined
    await this.#keep(kept, async (transaction) => {
      if (key !== undefined) await this.#deps.keys.claim(transaction, key)
      const { portal_key: portalKey, deployment_id: deploymentId } = kept
      await markReported(transaction, { portalKey, deploymentId }, marked)
      await dropReported(transaction, Math.floor(nowMs / HOUR_MS) - FORGOTTEN_HOURS)
    })
    this.#deps.telemetry.reported(marked.length)
  }

  async #keepFailure({ failure, reason, waitMs }: PortalFailure): Promise<void> {
    const { clock } = this.#context
    const failures = this.#link.failures + 1
    const next_ms = clock.nowMs() + waitAfterFailure(failures, waitMs, clock)
    await this.#keep({ ...this.#link, failure, reason, failures, next_ms })
    this.#deps.telemetry.failed(failure, reason)
  }

  async #keep(
    link: PortalLink,
    more?: (transaction: DatabaseTransaction) => Promise<void>,
  ): Promise<void> {
    const isKept = await keepPortalLink(this.#context, { link, isNew: this.#isNew }, more)
    this.#isNew = false
    this.#isOver ||= !isKept
    this.#link = link
  }

  #tellErrors(sent: readonly HourAmount[], { errors }: PortalAnswer): void {
    const [first] = errors
    const hour = first && sent[first.index]
    if (first === undefined || hour === undefined) return
    const at = new Date(hour.hour * HOUR_MS).toISOString()
    this.#deps.telemetry.refusedHours({ hours: errors.length, first: at, code: first.code })
  }

  get #around() {
    return { portalUrl: this.#portal.portalUrl, signal: this.#context.signal }
  }
}
