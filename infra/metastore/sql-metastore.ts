// The caches of one process put together behind the ports.
import { Failure, isFailure } from '../../schemas/failures.ts'
import type { ListenerAccount } from '../../schemas/listener-account.ts'
import { logPathKey } from '../../schemas/names/log-path.ts'
import { readSetting, type SettingName, type SettingValue } from '../../schemas/settings.ts'
import { ANONYMOUS_USER } from '../../schemas/users.ts'
import type { Clock } from '../clock.ts'
import { foldName } from '../database/fold-name.ts'
import type { Database } from '../database/port.ts'
import { describeError, type Logger } from '../logger.ts'
import { AccountCache } from './accounts/account-cache.ts'
import { AuditWriter } from './audit/audit-writer.ts'
import { Cached } from './cached.ts'
import { readVersions, type Versions } from './counters.ts'
import type { ColumnRecord, LogRecord, Metastore, NewColumn, NewLog, Tree } from './port.ts'
import { insertLogs } from './tree/add-logs.ts'
import { ColumnCache } from './tree/column-cache.ts'
import { EMPTY_TREE, loadTree } from './tree/tree-cache.ts'
import { VisibleLogsCache } from './tree/visible-logs-cache.ts'
import type { Audit, AuditEntry, Rights } from './users/rights-port.ts'
import { EMPTY_SECURITY, loadSecurity } from './users/security-state.ts'
import { wellFormed } from './well-formed.ts'

const LOOK_EVERY_MS = 250
/** A server that says nothing is away long before its connections are given up. */
const LOOK_WITHIN_MS = 3000

export class SqlMetastore implements Metastore, Rights, Audit {
  readonly database: Database
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #accounts: AccountCache
  readonly #tree = new Cached('tree', EMPTY_TREE, loadTree)
  readonly #security = new Cached('security', EMPTY_SECURITY, loadSecurity)
  readonly #settings = new Cached<ReadonlyMap<string, string>>('settings', new Map(), readSettings)
  readonly #columns: ColumnCache
  readonly #visible = new VisibleLogsCache()
  readonly #audit: AuditWriter
  readonly #listeners = new Set<() => void>()
  readonly #stopping = new AbortController()
  #looking: Promise<void> = Promise.resolve()
  #isAway = false

  constructor(options: { database: Database; clock: Clock; logger: Logger }) {
    this.database = options.database
    this.#clock = options.clock
    this.#logger = options.logger
    this.#accounts = new AccountCache(options.database)
    this.#columns = new ColumnCache(options.database)
    this.#audit = new AuditWriter(options.database, options.clock)
  }

  /** First load, then the loop that looks for changes. */
  async start(): Promise<void> {
    await this.#look()
    this.#looking = this.#lookForever()
  }

  readonly users: Rights['users'] = {
    find: async (name) => {
      await this.#look().catch(() => {})
      return this.#security.value.usersByFoldedName.get(foldName(name))
    },
    byId: (id) => this.#security.value.usersById.get(id),
  }

  accountByToken(token: string): ListenerAccount | undefined {
    const account = this.#accounts.byToken(token)
    // It may have been made since the database went away (decision 2.3).
    if (account === undefined && this.#isAway) throw new Failure('database.unavailable')
    return account
  }

  accountVersion(id: number, version: number): Promise<ListenerAccount> {
    return this.#accounts.version(id, version)
  }

  async tree(): Promise<Tree> {
    await this.#look()
    return this.#tree.value
  }

  columns(logIds: Iterable<number>): Promise<ReadonlyMap<number, readonly ColumnRecord[]>> {
    return this.#columns.columns(logIds)
  }

  async addColumns(columns: readonly NewColumn[]): Promise<void> {
    await this.#columns.add(columns)
  }

  async addLogs(logs: readonly NewLog[]): Promise<readonly LogRecord[]> {
    const wanted = logs.map(wellFormedLog)
    const known = findLogs(await this.tree(), wanted)
    if (known !== undefined) return known
    await this.database.write(async (transaction) => {
      await this.#tree.refresh(transaction)
      await insertLogs(transaction, this.#tree.value, wanted, this.#clock.nowMs())
    })
    const made = findLogs(await this.tree(), wanted)
    if (made === undefined) throw new Failure('database.damaged')
    return made
  }

  async countLogs(
    accountId: number,
    receivedHour: number,
  ): Promise<{ total: number; inHour: number }> {
    const row = await this.database.read
      .selectFrom('logs')
      .select(({ fn }) => [
        fn.countAll<number>().as('total'),
        fn.countAll<number>().filterWhere('received_hour', '=', receivedHour).as('in_hour'),
      ])
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    return { total: Number(row.total), inHour: Number(row.in_hour) }
  }

  setting<N extends SettingName>(name: N): SettingValue<N> {
    return readSetting(name, this.#settings.value.get(name))
  }

  isSecurityOn(): boolean {
    return this.setting('system.security')
  }

  async visibleLogs(userId: number): Promise<'all' | ReadonlySet<number>> {
    await this.#look()
    if (userId === ANONYMOUS_USER.id) return this.isSecurityOn() ? new Set() : 'all'
    return this.#visible.find({
      userId,
      tree: this.#tree.value,
      treeVersion: this.#tree.version,
      security: this.#security.value,
      securityVersion: this.#security.version,
    })
  }

  audit(entry: AuditEntry): Promise<void> {
    return this.#audit.audit(entry)
  }

  async refresh(): Promise<void> {
    await this.#look()
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#looking
    await this.#audit.close()
  }

  async #lookForever(): Promise<void> {
    const { signal } = this.#stopping
    for (;;) {
      await this.#clock.sleep(LOOK_EVERY_MS, signal)
      if (signal.aborted) return
      try {
        await this.#look()
      } catch {
        // Said by #look; memory goes on.
      }
    }
  }

  /** Brings memory up to the database as of this call. */
  async #look(): Promise<void> {
    try {
      if (await this.#reach(await this.#soon(readVersions(this.database.read)))) this.#tellChange()
      if (this.#isAway) this.#logger.info('database is back')
      this.#isAway = false
    } catch (error) {
      if (!this.#isAway) this.#logger.error('database is away', describeError(error))
      this.#isAway = true
      throw isFailure(error) ? error : new Failure('database.unavailable', {}, error)
    }
  }

  async #soon<T>(answer: Promise<T>): Promise<T> {
    const over = new AbortController()
    const late = this.#clock.sleep(LOOK_WITHIN_MS, over.signal).then(() => {
      throw new Failure('database.unavailable')
    })
    try {
      return await Promise.race([answer, late])
    } finally {
      // Nobody waits for the one that is not first.
      answer.catch(() => undefined)
      late.catch(() => undefined)
      over.abort()
    }
  }

  /** True when anything changed. */
  async #reach(versions: Versions): Promise<boolean> {
    const areas = [this.#accounts.accepted, this.#tree, this.#security, this.#settings]
    let isChanged = false
    for (const cached of areas) {
      if (cached.version >= versions[cached.area]) continue
      await cached.reach(this.database, versions[cached.area])
      isChanged = true
    }
    return isChanged
  }

  #tellChange(): void {
    for (const listener of this.#listeners) {
      try {
        listener()
      } catch (error) {
        this.#logger.error('change listener failed', describeError(error))
      }
    }
  }
}

async function readSettings(
  transaction: Parameters<Parameters<Database['snapshot']>[0]>[0],
): Promise<ReadonlyMap<string, string>> {
  const rows = await transaction.selectFrom('settings').selectAll().execute()
  return new Map(rows.map((row) => [row.name, row.value]))
}

function wellFormedLog(log: NewLog): NewLog {
  return { ...log, folder: log.folder.map(wellFormed), name: wellFormed(log.name) }
}

/** All of them in the order asked, or undefined when one is missing. */
function findLogs(tree: Tree, logs: readonly NewLog[]): LogRecord[] | undefined {
  const found: LogRecord[] = []
  for (const log of logs) {
    const record = tree.logsByPath.get(logPathKey(log.folder, log.name))
    if (record === undefined) return undefined
    found.push(record)
  }
  return found
}
