// Ways to sign in other than a password, as one process knows them: tokens and second factors from
// memory, sessions and codes from the database, since these change with each use.
import type { UserRecord } from '../../../schemas/users.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/port.ts'
import type { SecretKeys } from '../../secrets/secret-keys.ts'
import { Cached } from '../cached.ts'
import type { SecurityState } from '../rights/security-state.ts'
import type { Settings } from '../settings/port.ts'
import { EMPTY_ACCESS, loadAccess } from './access-state.ts'
import type { Access, ApiTokenRecord, PolicyGrants } from './port.ts'
import { useSecondFactor } from './second-factors.ts'
import { findSession, type SessionRecord, touchSession } from './sessions.ts'

const MINUTE_MS = 60_000

type Deps = {
  readonly database: Database
  readonly clock: Clock
  readonly settings: Settings
  readonly security: () => SecurityState
  /** Fails with database.unavailable. */
  readonly refresh: () => Promise<void>
}

type Port = Access['access']

export class AccessCache implements Port {
  readonly cached = new Cached('access', EMPTY_ACCESS, loadAccess)
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async findToken(hash: string): Promise<ApiTokenRecord | undefined> {
    await this.#deps.refresh().catch(() => {})
    return this.cached.value.tokensByHash.get(hash)
  }

  async userById(id: number): Promise<UserRecord | undefined> {
    await this.#deps.refresh().catch(() => {})
    return this.#deps.security().usersById.get(id)
  }

  policyById(policyId: number): PolicyGrants | undefined {
    const { operationsOfPolicy, masksOfPolicy } = this.#deps.security()
    const operations = operationsOfPolicy.get(policyId)
    return operations && { operations, masks: masksOfPolicy.get(policyId) ?? [] }
  }

  hasSecondFactor(userId: number): boolean {
    return this.cached.value.secondFactorUsers.has(userId)
  }

  async useCode(
    userId: number,
    code: string,
    keys: SecretKeys,
  ): Promise<'right' | 'wrong' | 'slowed'> {
    const { database, clock } = this.#deps
    return await database.write((transaction) =>
      useSecondFactor(transaction, { clock, keys }, userId, code),
    )
  }

  async findSession(idHash: string): Promise<SessionRecord | undefined> {
    const { database, clock, settings } = this.#deps
    const session = await findSession(database.read, idHash)
    const nowMs = clock.nowMs()
    const idleMs = settings.setting('system.sessionIdleMinutes') * MINUTE_MS
    if (session === undefined || nowMs >= session.endsMs || nowMs >= session.usedMs + idleMs)
      return undefined
    // Not with each call: a commit holds the event loop.
    if (nowMs >= session.usedMs + Math.min(MINUTE_MS, idleMs / 2))
      await database
        .write((transaction) => touchSession(transaction, idHash, nowMs))
        .catch(() => undefined)
    return session
  }

  async hasSession(idHash: string): Promise<boolean> {
    const { database, clock } = this.#deps
    const session = await findSession(database.read, idHash)
    return session !== undefined && clock.nowMs() < session.endsMs
  }

  async recentSignIns(): ReturnType<Port['recentSignIns']> {
    return await this.#deps.database.read
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['users.name', 'sessions.address'])
      .where('sessions.ends_ms', '>', this.#deps.clock.nowMs())
      .orderBy('sessions.made_ms')
      .execute()
  }
}
