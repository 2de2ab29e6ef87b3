// What column names each log has: memory over the database, with the guard of decision 3.5 (names a
// log). The first `limit` names in order of first sight are columns; a later name never becomes
// one, on a replay neither.
import type { ColumnRecord, LogTree, NewColumn } from '../../../infra/metastore/tree/port.ts'

export type ColumnKind = ColumnRecord['kind']

/** Name -> bits of the kinds that are recorded. In order of first sight. */
export type KnownColumns = Map<string, number>

const BITS: Record<ColumnKind, number> = { text: 1, number: 2, bool: 4, id: 8 }
/** Names kept in memory over all logs; the logs used longest ago are forgotten first. */
const MAX_KEPT_NAMES = 400_000

export class ColumnDirectory {
  readonly #metastore: Pick<LogTree, 'columns' | 'addColumns'>
  readonly #byLog = new Map<number, KnownColumns>()
  #names = 0

  constructor(metastore: Pick<LogTree, 'columns' | 'addColumns'>) {
    this.#metastore = metastore
  }

  /** From memory; undefined: `load` it. */
  known(logId: number): KnownColumns | undefined {
    const known = this.#byLog.get(logId)
    if (known !== undefined) {
      this.#byLog.delete(logId)
      this.#byLog.set(logId, known)
    }
    return known
  }

  async load(logIds: readonly number[]): Promise<void> {
    const missing = logIds.filter((id) => !this.#byLog.has(id))
    if (missing.length === 0) return
    const columns = await this.#metastore.columns(missing)
    for (const id of missing) {
      const known: KnownColumns = new Map()
      const records = [...(columns.get(id) ?? [])].sort((a, b) => a.position - b.position)
      for (const { name, kind } of records) known.set(name, (known.get(name) ?? 0) | BITS[kind])
      this.#byLog.set(id, known)
      this.#names += known.size
    }
  }

  /** Durable in the database, then known. */
  async add(columns: readonly NewColumn[]): Promise<void> {
    if (columns.length === 0) return
    await this.#metastore.addColumns(columns)
    for (const { logId, name, kind } of columns) {
      const known = this.#byLog.get(logId)
      if (known === undefined) continue
      if (!known.has(name)) this.#names += 1
      known.set(name, (known.get(name) ?? 0) | BITS[kind])
    }
  }

  /** Called between batches. */
  forgetOldest(): void {
    for (const [logId, known] of this.#byLog) {
      if (this.#names <= MAX_KEPT_NAMES) return
      this.#byLog.delete(logId)
      this.#names -= known.size
    }
  }
}

/** The guard of one log during one batch. Names met for the first time are noted, not yet
 *  recorded. */
export class ColumnGuard {
  readonly #limit: number
  #known: KnownColumns | undefined
  readonly #met: KnownColumns = new Map()
  #newNames = 0
  #refusals = 0

  /** `known` undefined: the log's columns are not in memory; everything is admitted and `settle`
   *  looks again. */
  constructor(limit: number, known: KnownColumns | undefined) {
    this.#limit = limit
    this.#known = known
  }

  /** Values that became no column, since the log has as many as it may. */
  get refusals(): number {
    return this.#refusals
  }

  get isKnown(): boolean {
    return this.#known !== undefined
  }

  admit(name: string, kind: ColumnKind): boolean {
    const isAdmitted = this.#isAdmitted(name, kind)
    if (!isAdmitted) this.#refusals += 1
    return isAdmitted
  }

  #isAdmitted(name: string, kind: ColumnKind): boolean {
    const bit = BITS[kind]
    const met = this.#met.get(name)
    if (met !== undefined) {
      if ((met & bit) === 0) this.#met.set(name, met | bit)
      return true
    }
    const known = this.#known?.get(name)
    if (known === undefined) {
      if ((this.#known?.size ?? 0) + this.#newNames >= this.#limit) return false
      this.#newNames += 1
      this.#met.set(name, bit)
      return true
    }
    if (!this.#isWithinLimit(name)) return false
    this.#met.set(name, known | bit)
    return true
  }

  /** Compares what was admitted with what the log has. False: names were admitted beyond the limit,
   *  build the rows again. */
  settle(known: KnownColumns): boolean {
    const wasKnown = this.#known !== undefined
    this.#known = known
    if (wasKnown) return true
    let newNames = 0
    for (const name of this.#met.keys()) {
      if (!known.has(name)) newNames += 1
      else if (!this.#isWithinLimit(name)) return false
    }
    return newNames === 0 || known.size + newNames <= this.#limit
  }

  /** What must be recorded before the rows are stored, in order of first sight. */
  newColumns(logId: number): NewColumn[] {
    const columns: NewColumn[] = []
    for (const [name, bits] of this.#met) {
      const missing = bits & ~(this.#known?.get(name) ?? 0)
      if (missing === 0) continue
      for (const kind of KINDS) {
        if ((missing & BITS[kind]) !== 0) columns.push({ logId, name, kind })
      }
    }
    return columns
  }

  /** Only after the limit was lowered can a known name stand beyond it. */
  #isWithinLimit(name: string): boolean {
    const known = this.#known
    if (known === undefined || known.size <= this.#limit) return true
    let position = 0
    for (const other of known.keys()) {
      if (position >= this.#limit) return false
      if (other === name) return true
      position += 1
    }
    return false
  }
}

const KINDS: readonly ColumnKind[] = ['text', 'number', 'bool', 'id']
