// The caches of one process, a domain each, put together as its ports.
import type { NamedAppTag } from '../../schemas/app-tag.ts'
import { Failure } from '../../schemas/failures.ts'
import type { ListenerAccount } from '../../schemas/listener-account.ts'
import type { SettingName, SettingValue } from '../../schemas/settings.ts'
import { ANONYMOUS_USER } from '../../schemas/users.ts'
import type { Clock } from '../clock.ts'
import { foldName } from '../database/fold-name.ts'
import type { Database } from '../database/port.ts'
import type { Logger } from '../logger.ts'
import { AccessCache } from './access/access-cache.ts'
import type { Access } from './access/port.ts'
import { AccountCache } from './accounts/account-cache.ts'
import { AuditWriter } from './audit/audit-writer.ts'
import type { Audit, AuditEntry } from './audit/port.ts'
import { Cached } from './cached.ts'
import { type Membership, NO_SECURITY } from './dashboards/app-access.ts'
import { DatabaseWatch } from './database-watch.ts'
import type { Metastore } from './port.ts'
import { openedLogs } from './rights/guarded-logs.ts'
import { FULL_ACCESS, makeNodeAccess, NO_ACCESS, type NodeAccess } from './rights/node-access.ts'
import type { Reader, Rights } from './rights/port.ts'
import { EMPTY_SECURITY, loadSecurity, masksOf } from './rights/security-state.ts'
import { type Viewer, visibleFolders } from './rights/visible-logs.ts'
import { VisibleLogsCache } from './rights/visible-logs-cache.ts'
import { SettingCache } from './settings/setting-cache.ts'
import type { ReadSourceQuery } from './tags/source-query.ts'
import { loadTags } from './tags/tag-state.ts'
import { TaggedTree } from './tags/tagged-tree.ts'
import { CachedTree } from './tree/cached-tree.ts'
import { ColumnCache } from './tree/column-cache.ts'
import type { ColumnRecord, LogRecord, NewColumn, NewLog, NewTypeWords, Tree } from './tree/port.ts'

export class SqlMetastore implements Metastore, Rights, Access, Audit {
  readonly database: Database
  readonly #clock: Clock
  readonly #accounts: AccountCache
  readonly #tree: CachedTree
  readonly #tags = new Cached<readonly NamedAppTag[]>('tags', [], loadTags)
  readonly #tagged = new TaggedTree()
  readonly #columns: ColumnCache
  readonly #security = new Cached('security', EMPTY_SECURITY, loadSecurity)
  readonly access: AccessCache
  readonly #visible = new VisibleLogsCache()
  readonly #settings = new SettingCache()
  readonly #audit: AuditWriter
  readonly #watch: DatabaseWatch

  constructor(options: { database: Database; clock: Clock; logger: Logger }) {
    this.database = options.database
    this.#clock = options.clock
    this.#accounts = new AccountCache(options.database)
    this.#tree = new CachedTree({ ...options, look: () => this.refresh() })
    this.#columns = new ColumnCache(options.database)
    this.#audit = new AuditWriter(options.database, options.clock)
    this.access = new AccessCache({
      ...options,
      settings: this.#settings,
      security: () => this.#security.value,
      refresh: () => this.refresh(),
    })
    const areas = [
      this.#accounts.accepted,
      this.#tree.cached,
      this.#tags,
      this.#security,
      this.access.cached,
      this.#settings.cached,
    ]
    this.#watch = new DatabaseWatch(options, areas)
  }

  async start(): Promise<void> {
    await this.#watch.start()
  }

  readonly users: Rights['users'] = {
    find: async (name) => {
      await this.refresh().catch(() => {})
      return this.#security.value.usersByFoldedName.get(foldName(name))
    },
    byId: (id) => this.#security.value.usersById.get(id),
  }

  accountByToken(token: string): ListenerAccount | undefined {
    const account = this.#accounts.byToken(token, this.#clock.nowMs())
    // It may have been made since the database went away (decision 2.3).
    if (account === undefined && this.#watch.isAway) throw new Failure('database.unavailable')
    return account
  }

  accountVersion(id: number, version: number): Promise<ListenerAccount> {
    return this.#accounts.version(id, version)
  }

  async tree(): Promise<Tree> {
    return this.#tagged.tree(await this.#tree.tree(), this.#tags.value)
  }

  tag(name: string): NamedAppTag | undefined {
    return this.#tags.value.find((it) => it.name === name)
  }

  readSourceQueriesBy(readQuery: ReadSourceQuery): void {
    this.#tagged.readQueriesBy(readQuery)
  }

  columns(logIds: Iterable<number>): Promise<ReadonlyMap<number, readonly ColumnRecord[]>> {
    return this.#columns.columns(logIds)
  }

  async addColumns(columns: readonly NewColumn[]): Promise<void> {
    await this.#columns.add(columns)
  }

  addTypeWords(found: readonly NewTypeWords[]): Promise<void> {
    return this.#tree.addTypeWords(found)
  }

  addLogs(logs: readonly NewLog[]): Promise<readonly LogRecord[]> {
    return this.#tree.addLogs(logs)
  }

  countLogs(accountId: number, receivedHour: number): Promise<{ total: number; inHour: number }> {
    return this.#tree.countLogs(accountId, receivedHour)
  }

  setting<N extends SettingName>(name: N): SettingValue<N> {
    return this.#settings.setting(name)
  }

  isSecurityOn(): boolean {
    return this.setting('system.security')
  }

  async visibleLogs(reader: Reader): Promise<'all' | ReadonlySet<number>> {
    await this.refresh()
    if (reader.id === ANONYMOUS_USER.id) return this.isSecurityOn() ? new Set() : 'all'
    return this.#visible.find({
      reader,
      tree: this.#tree.cached.value,
      treeVersion: this.#tree.cached.version,
      security: this.#security.value,
      securityVersion: this.#security.version,
    })
  }

  masksOf(reader: Reader): readonly string[] {
    return masksOf(this.#security.value, reader)
  }

  async visibleFolders(reader: Reader): Promise<'all' | ReadonlySet<number>> {
    if ((await this.visibleLogs(reader)) === 'all') return 'all'
    const security = this.#security.value
    const user = security.usersById.get(reader.id)
    if (user?.isEnabled !== true) return new Set()
    if (user.isAdministrator) return 'all'
    return visibleFolders(this.#tree.cached.value, security.permissions, this.#viewer(reader))
  }

  async nodeAccess(reader: Reader): Promise<NodeAccess> {
    await this.refresh()
    const security = this.#security.value
    if (reader.id === ANONYMOUS_USER.id) return this.isSecurityOn() ? NO_ACCESS : FULL_ACCESS
    const user = security.usersById.get(reader.id)
    if (user?.isEnabled !== true) return NO_ACCESS
    if (user.isAdministrator) return FULL_ACCESS
    return makeNodeAccess(this.#tree.cached.value, security, this.#viewer(reader))
  }

  async membership({ id }: Reader): Promise<Membership | undefined> {
    await this.refresh()
    if (id === ANONYMOUS_USER.id) return this.isSecurityOn() ? undefined : NO_SECURITY
    const security = this.#security.value
    const user = security.usersById.get(id)
    if (user?.isEnabled !== true) return undefined
    const groups = security.groupsOfUser.get(id) ?? new Set()
    return { userId: id, groups, isAdministrator: user.isAdministrator }
  }

  #viewer(reader: Reader): Viewer {
    const security = this.#security.value
    const groups = security.groupsOfUser.get(reader.id) ?? new Set()
    return { userId: reader.id, groups, opened: openedLogs(security, reader) }
  }

  audit(entry: AuditEntry): Promise<void> {
    return this.#audit.audit(entry)
  }

  async refresh(): Promise<void> {
    await this.#watch.look()
  }

  onChange(listener: () => void): () => void {
    return this.#watch.onChange(listener)
  }

  async close(): Promise<void> {
    await this.#watch.close()
    await this.#audit.close()
  }
}
