// A row as the record of an event. One that is too large is cut, and says so (pure).
import { MAX_ROW_BYTES, mostCharacters } from '../../../../infra/database/foreign/cut-rows.ts'
import type { ForeignRow } from '../../../../infra/database/foreign/postgres-rows.ts'
import type { Task } from '../../../../infra/metastore/tasks/tasks.ts'
import { RemoteFault } from '../../../../infra/outbound/remote-fault.ts'
import type { MarkedEvent } from '../../marked/marked-log.ts'
import { printRecord } from '../../marked/record-form.ts'
import { readRowTime } from './row-time.ts'

/** Of a row that is cut: which of its cells, and how many bytes they have. */
const CUT_COLUMN = 'copied.cut'
const MAX_SHOWN = 100
const NAMED_ROWS = 3

type Settings = Pick<Task<'query'>['settings'], 'markColumn' | 'messageColumn' | 'timeColumn'>
type Row = Pick<ForeignRow, 'values' | 'cut'>

export type RowRecord = Pick<MarkedEvent, 'record' | 'time'> & {
  readonly mark: string
  readonly bytes: number
  readonly cut: ForeignRow['cut']
}

/** Fails with RemoteFault. */
export function readRow(row: Row, settings: Settings): RowRecord {
  requireColumns(row, settings)
  const whole = print(row, settings)
  if (whole.bytes <= MAX_ROW_BYTES) return whole
  const smaller = print(cutRow(row), settings)
  if (smaller.bytes <= MAX_ROW_BYTES) return smaller
  throw new RemoteFault(
    `the row with the mark ${show(whole.mark)} is larger than 1 MiB: leave columns out of the query`,
  )
}

/** Tells of rows that were cut: how many, and the first. */
export class CutRows {
  #count = 0
  readonly #named: string[] = []

  add({ mark, cut }: Pick<RowRecord, 'mark' | 'cut'>): void {
    if (cut.length === 0) return
    this.#count += 1
    if (this.#named.length < NAMED_ROWS) this.#named.push(`${show(mark)} (${printCut(cut)})`)
  }

  /** '' for none. */
  get reason(): string {
    if (this.#count === 0) return ''
    const more = this.#count > NAMED_ROWS ? ', …' : ''
    return `rows above 1 MiB are cut, as their column ${CUT_COLUMN} says: ${this.#count}, with the marks ${this.#named.join(', ')}${more}`
  }
}

function requireColumns({ values }: Row, { messageColumn, timeColumn }: Settings): void {
  const has = (column: string) => column === '' || values.some(([name]) => name === column)
  if (!has(messageColumn))
    throw new RemoteFault(`the query gives no column ${messageColumn}, which is the message`)
  if (!has(timeColumn))
    throw new RemoteFault(`the query gives no column ${timeColumn}, which is the time`)
}

function print({ values, cut }: Row, settings: Settings): RowRecord {
  const { markColumn, messageColumn, timeColumn } = settings
  const columns: Record<string, string> = Object.create(null)
  for (const [name, value] of values) if (value !== null) columns[name] = value
  const mark = columns[markColumn] ?? ''
  if (cut.some(({ name }) => name === markColumn))
    throw new RemoteFault(`the mark ${show(mark)} is too large: choose another column`)
  const message = messageColumn === '' ? undefined : columns[messageColumn]
  const time = timeColumn === '' ? undefined : readRowTime(columns[timeColumn] ?? '')
  if (message !== undefined) delete columns[messageColumn]
  if (cut.length > 0) columns[CUT_COLUMN] ??= printCut(cut)
  const record = printRecord(message, columns)
  return { mark, time, cut, record, bytes: Buffer.byteLength(record) }
}

/** One that the server finds small enough can be large as JSON. */
function cutRow({ values, cut }: Row): Row {
  const most = mostCharacters(values.length)
  const isCut = new Set(cut.map(({ name }) => name))
  const more = values.filter(([name, value]) => !isCut.has(name) && (value?.length ?? 0) > most)
  return {
    values: values.map(([name, value]) => [name, value === null ? null : begin(value, most)]),
    cut: [
      ...cut,
      ...more.map(([name, value]) => ({ name, bytes: Buffer.byteLength(value ?? '') })),
    ],
  }
}

/** No half of a character. */
function begin(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
}

function printCut(cut: ForeignRow['cut']): string {
  return cut.map(({ name, bytes }) => `${name}: ${bytes} bytes`).join(', ')
}

function show(mark: string): string {
  return mark.slice(0, MAX_SHOWN)
}
