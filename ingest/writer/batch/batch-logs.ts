// The logs of one batch: finds the log of each event, plans new ones under the cardinality guard of
// decision 3.5 and makes them before the batch is stored. Rows name a log by its slot, since a
// planned log has no id yet.
import type {
  LogRecord,
  LogTree,
  NewLog,
  NewTypeWords,
  Tree,
} from '../../../infra/metastore/tree/port.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import type { GuardedLog } from '../../../schemas/names/guarded-logs.ts'
import {
  cleanLevel,
  logPathKey,
  type REJECTED_LOG,
  SYSTEM_FOLDER,
} from '../../../schemas/names/log-path.ts'
import {
  type ColumnDirectory,
  ColumnGuard,
  type ColumnKind,
  type KnownColumns,
} from './log-columns.ts'
import { LogTypes } from './log-types.ts'

const HOUR_MS = 3_600_000
/** Collection policy `Default`, which System logs have. */
const DEFAULT_POLICY_ID = 1
/** Folder arrays are cached by identity; a splitter that makes one an event must not fill the
 *  memory. */
const MAX_CACHED_FOLDERS = 10_000

export type LogSlot = {
  readonly slot: number
  readonly folder: readonly string[]
  readonly name: string
  readonly guard: ColumnGuard
  readonly admitColumn: (name: string, kind: ColumnKind) => boolean
  readonly types: LogTypes
  /** 0 until the log is made. */
  logId: number
  policyId: number
  /** Rows of this batch by day of receipt: with the policy they make the units of the insert. */
  readonly days: DayRows[]
}

/** `day` counts from 1970, UTC. */
export type DayRows = { readonly day: number; rows: number }

export type FoundLog = {
  readonly log: LogSlot
  /** '' or the path that the guard of new logs refused. */
  readonly intendedPath: string
}

type LastFound = {
  readonly accountId: number
  readonly folder: readonly string[]
  readonly logName: string
  readonly found: FoundLog
}

/** How many logs an account may still get: altogether, and by hour of receipt. */
export type LogAllowance = { total: number; readonly byHour: Map<number, number> }

/** `maxLogId` makes a replay: nothing is made, and a log of a higher id was not there when the rows
 *  were first built. */
export type LogMode = { readonly kind: 'create' } | { readonly kind: 'replay'; maxLogId: number }

export class BatchLogs {
  readonly #tree: Tree
  readonly #columns: ColumnDirectory
  readonly #columnsPerLog: number
  readonly #mode: LogMode
  readonly #allowances: ReadonlyMap<number, LogAllowance>
  readonly #byAccount = new Map<number, Map<readonly string[], Map<string, FoundLog>>>()
  readonly #byKey = new Map<string, LogSlot>()
  readonly #planned: { readonly slot: LogSlot; readonly log: NewLog; isGuarded: boolean }[] = []
  /** Refused once, a path stays refused in this batch, whoever asks: a replay sees the same of the
   *  tree. */
  readonly #refused = new Set<string>()
  readonly slots: LogSlot[] = []
  /** What was found last: mostly the next event's, too. */
  #last: LastFound | undefined

  constructor(options: {
    tree: Tree
    columns: ColumnDirectory
    columnsPerLog: number
    mode: LogMode
    /** By account id; an account that is not in it has never met its limit. */
    allowances: ReadonlyMap<number, LogAllowance>
  }) {
    this.#tree = options.tree
    this.#columns = options.columns
    this.#columnsPerLog = options.columnsPerLog
    this.#mode = options.mode
    this.#allowances = options.allowances
  }

  /** The log of an event of this account. */
  find(
    account: ListenerAccount,
    event: { folder: readonly string[]; logName: string; typeWords: string },
    receivedMs: number,
  ): FoundLog {
    const last = this.#last
    if (
      last !== undefined &&
      last.accountId === account.id &&
      last.folder === event.folder &&
      last.logName === event.logName
    ) {
      if (event.typeWords !== '') last.found.log.types.meet(event.typeWords)
      return last.found
    }
    const { folder, logName } = event
    let found = this.#byAccount.get(account.id)?.get(folder)?.get(logName)
    if (found === undefined) {
      found = this.#resolve(account, event, receivedMs)
      this.#remember(account.id, folder, logName, found)
    }
    this.#last = { accountId: account.id, folder, logName, found }
    if (event.typeWords !== '') found.log.types.meet(event.typeWords)
    return found
  }

  /** A log of the product in `System`: rejected events (decision 3.10), the audit log, that of
   *  alerts. */
  own(name: typeof REJECTED_LOG | GuardedLog, receivedMs: number): LogSlot {
    const folder = [SYSTEM_FOLDER]
    const key = logPathKey(folder, name)
    return (
      this.#byKey.get(key) ??
      this.#existing(key, Number.POSITIVE_INFINITY) ??
      this.#plan(key, {
        folder,
        name,
        accountId: null,
        policyId: DEFAULT_POLICY_ID,
        appTags: [],
        typeWords: [],
        receivedHour: Math.floor(receivedMs / HOUR_MS),
      })
    )
  }

  /** New guarded logs of this batch by account and hour of receipt. */
  plannedByHour(): Map<number, Map<number, number>> {
    const planned = new Map<number, Map<number, number>>()
    for (const { log, isGuarded } of this.#planned) {
      if (!isGuarded || log.accountId === null) continue
      const byHour = planned.get(log.accountId) ?? new Map<number, number>()
      byHour.set(log.receivedHour, (byHour.get(log.receivedHour) ?? 0) + 1)
      planned.set(log.accountId, byHour)
    }
    return planned
  }

  /** Paths that went to an overflow log, each as `logPathKey`. */
  get refused(): ReadonlySet<string> {
    return this.#refused
  }

  /** Makes the planned logs; afterwards every slot has its id. */
  async create(metastore: Pick<LogTree, 'addLogs'>): Promise<void> {
    if (this.#planned.length === 0) return
    const records = await metastore.addLogs(
      this.#planned.map(({ slot, log }) => ({ ...log, typeWords: slot.types.added })),
    )
    this.#planned.forEach(({ slot }, position) => {
      const record = records[position]
      if (record === undefined) throw new Error('the metastore made fewer logs than asked')
      slot.logId = record.id
      slot.policyId = record.policyId
      slot.types.settle(record.typeWords)
    })
  }

  /** To be recorded before the rows are stored; after `create`. */
  newTypeWords(): NewTypeWords[] {
    return this.slots
      .filter(({ types }) => types.added.length > 0)
      .map(({ logId, types }) => ({ logId, words: types.added }))
  }

  get maxLogId(): number {
    return this.slots.reduce((max, { logId }) => Math.max(max, logId), 0)
  }

  #resolve(
    account: ListenerAccount,
    event: { folder: readonly string[]; logName: string },
    receivedMs: number,
  ): FoundLog {
    const key = logPathKey(event.folder, event.logName)
    const maxLogId = this.#mode.kind === 'replay' ? this.#mode.maxLogId : Number.POSITIVE_INFINITY
    const known = this.#byKey.get(key) ?? this.#existing(key, maxLogId)
    if (known !== undefined) return { log: known, intendedPath: '' }
    const receivedHour = Math.floor(receivedMs / HOUR_MS)
    const isRefused = this.#mode.kind === 'replay' || this.#refused.has(key)
    // Made again, a removed log has the id it had: it is no new one that the guard would count.
    const isNew = !this.#tree.removedLogsByPath.has(key)
    if (isRefused || (isNew && !this.#takeAllowance(account.id, receivedHour))) {
      this.#refused.add(key)
      return { log: this.#overflow(account, receivedHour), intendedPath: key }
    }
    const log = newLog(account, event.folder, event.logName, receivedHour)
    return { log: this.#plan(key, log, isNew), intendedPath: '' }
  }

  #overflow(account: ListenerAccount, receivedHour: number): LogSlot {
    const name = cleanLevel(`${account.name} overflow`)
    const folder = account.parentFolder
    const key = logPathKey(folder, name)
    return (
      this.#byKey.get(key) ??
      this.#existing(key, Number.POSITIVE_INFINITY) ??
      this.#plan(key, newLog(account, folder, name, receivedHour))
    )
  }

  #existing(key: string, maxLogId: number): LogSlot | undefined {
    const { logsByPath, removedLogsByPath } = this.#tree
    // A replay goes where the rows first went, also when the log was removed meanwhile.
    const removed = this.#mode.kind === 'replay' ? removedLogsByPath.get(key) : undefined
    const record = logsByPath.get(key) ?? removed
    if (record === undefined || record.id > maxLogId) return undefined
    return this.#addSlot(key, record, record, this.#columns.known(record.id))
  }

  #plan(key: string, log: NewLog, isGuarded = false): LogSlot {
    const slot = this.#addSlot(key, log, { ...log, id: 0 }, new Map())
    this.#planned.push({ slot, log, isGuarded })
    return slot
  }

  #addSlot(
    key: string,
    place: { readonly folder: readonly string[]; readonly name: string },
    record: Pick<LogRecord, 'id' | 'policyId' | 'typeWords'>,
    known: KnownColumns | undefined,
  ): LogSlot {
    const guard = new ColumnGuard(this.#columnsPerLog, known)
    const slot: LogSlot = {
      slot: this.slots.length,
      folder: place.folder,
      name: place.name,
      guard,
      admitColumn: (name, kind) => guard.admit(name, kind),
      types: new LogTypes(record.typeWords),
      logId: record.id,
      policyId: record.policyId,
      days: [],
    }
    this.slots.push(slot)
    this.#byKey.set(key, slot)
    return slot
  }

  #takeAllowance(accountId: number, hour: number): boolean {
    const allowance = this.#allowances.get(accountId)
    if (allowance === undefined) return true
    const inHour = allowance.byHour.get(hour)
    if (allowance.total <= 0 || (inHour !== undefined && inHour <= 0)) return false
    allowance.total -= 1
    if (inHour !== undefined) allowance.byHour.set(hour, inHour - 1)
    return true
  }

  #remember(accountId: number, folder: readonly string[], name: string, found: FoundLog): void {
    let byFolder = this.#byAccount.get(accountId)
    if (byFolder === undefined || byFolder.size > MAX_CACHED_FOLDERS) {
      byFolder = new Map()
      this.#byAccount.set(accountId, byFolder)
    }
    const byName = byFolder.get(folder) ?? new Map<string, FoundLog>()
    byFolder.set(folder, byName)
    byName.set(name, found)
  }
}

function newLog(
  account: ListenerAccount,
  folder: readonly string[],
  name: string,
  receivedHour: number,
): NewLog {
  const { id, policyId, appTags } = account
  // Events of files (id below 0) are of a log that an operator made.
  const accountId = id > 0 ? id : null
  return { folder, name, accountId, policyId, appTags, typeWords: [], receivedHour }
}
