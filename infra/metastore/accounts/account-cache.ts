// Listener accounts in memory. A token that was met before costs one map look-up; an unknown one a
// hash.
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import type { Database } from '../../database/port.ts'
import type { Tables } from '../../database/tables.ts'
import { Cached } from '../cached.ts'
import { readSourceAccount } from '../collect/collect-sources.ts'
import { TemplateCatalogue } from '../templates/template-catalogue.ts'
import { accountFromRow } from './account-settings.ts'
import { hashToken } from './token.ts'

/** Tokens and versions remembered; beyond it the oldest is forgotten. */
const MAX_REMEMBERED = 10_000
/** Longer texts are no tokens of ours and are not hashed. */
const MAX_TOKEN_CHARACTERS = 200

type Accepted = { readonly account: ListenerAccount; readonly untilMs: number }

/** By the hash of a token. */
type AcceptedAccounts = ReadonlyMap<string, Accepted>

export class AccountCache {
  readonly #database: Database
  readonly #byToken = new Map<string, Accepted>()
  readonly #versions = new Map<string, ListenerAccount>()
  readonly #templates = new TemplateCatalogue()
  readonly accepted: Cached<AcceptedAccounts>

  constructor(database: Database) {
    this.#database = database
    this.accepted = new Cached<AcceptedAccounts>('accounts', new Map(), async (transaction) => {
      const accounts = await readAcceptedAccounts(transaction, this.#templates)
      this.#byToken.clear()
      return accounts
    })
  }

  /** Enabled accounts only. */
  byToken(token: string, nowMs: number): ListenerAccount | undefined {
    const accepted = this.#find(token)
    return accepted === undefined || accepted.untilMs <= nowMs ? undefined : accepted.account
  }

  #find(token: string): Accepted | undefined {
    const known = this.#byToken.get(token)
    if (known !== undefined) return known
    if (token.length > MAX_TOKEN_CHARACTERS) return undefined
    const accepted = this.accepted.value.get(hashToken(token))
    if (accepted !== undefined) remember(this.#byToken, token, accepted)
    return accepted
  }

  /** Any version ever made; a version never changes, so memory is as good as the table. */
  async version(id: number, version: number): Promise<ListenerAccount> {
    const key = `${id}:${version}`
    const known = this.#versions.get(key)
    if (known !== undefined) return known
    if (id < 0) {
      const source = await readSourceAccount(this.#database.read, this.#templates, -id, version)
      remember(this.#versions, key, source)
      return source
    }
    const row = await this.#database.read
      .selectFrom('listener_account_versions as v')
      .innerJoin('listener_accounts as a', 'a.id', 'v.account_id')
      .select(['a.id', 'a.name', 'v.version', 'v.settings', 'v.is_enabled', 'v.templates'])
      .where('v.account_id', '=', id)
      .where('v.version', '=', version)
      .executeTakeFirst()
    if (row === undefined)
      throw new Failure('object.not_found', { kind: 'account version', name: key })
    const templates = await this.#templates.at(this.#database.read, row.templates)
    const account = accountFromRow(row, templates)
    remember(this.#versions, key, account)
    return account
  }
}

async function readAcceptedAccounts(
  transaction: Transaction<Tables>,
  catalogue: TemplateCatalogue,
): Promise<AcceptedAccounts> {
  const rows = await transaction
    .selectFrom('listener_accounts as a')
    .innerJoin('listener_account_versions as v', (join) =>
      join.onRef('v.account_id', '=', 'a.id').onRef('v.version', '=', 'a.version'),
    )
    .select(['a.id', 'a.name', 'a.token_hash', 'v.version', 'v.settings', 'v.is_enabled'])
    .select(['v.templates', 'a.old_token_hash', 'a.old_token_until_ms'])
    .where('a.removed_ms', 'is', null)
    .where('a.is_enabled', '=', 1)
    .execute()
  const accepted = new Map<string, Accepted>()
  for (const row of rows) {
    const templates = await catalogue.at(transaction, row.templates)
    const account = accountFromRow(row, templates)
    if (row.old_token_hash !== null)
      accepted.set(row.old_token_hash, { account, untilMs: Number(row.old_token_until_ms ?? 0) })
    accepted.set(row.token_hash, { account, untilMs: Number.POSITIVE_INFINITY })
  }
  return accepted
}

function remember<T>(memory: Map<string, T>, key: string, value: T): void {
  if (memory.size >= MAX_REMEMBERED) {
    const oldest = memory.keys().next().value
    if (oldest !== undefined) memory.delete(oldest)
  }
  memory.set(key, value)
}
