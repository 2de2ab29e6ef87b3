// What a cell of a list of objects says for the value of an argument. Pure.
import { sayCron } from '../../parts/say-cron.ts'
import { printBytes } from '../parts/print.ts'
import { toWords } from '../parts/words.ts'
import { MANAGE } from '../texts.ts'

const T = MANAGE.list

/** Heads that say more than the name of the argument. */
const HEADS: ReadonlyMap<string, string> = new Map(Object.entries(T.heads))

/** What stands where nothing is set, of arguments whose absence decides something. */
const UNSET: ReadonlyMap<string, string> = new Map(Object.entries(T.unset))

const CODE: ReadonlySet<string> = new Set(['query', 'rule', 'sourceQuery'])
const LONG: ReadonlySet<string> = new Set(['query', 'rule', 'sourceQuery', 'description'])

export type CellText = { readonly text: string; readonly isSoft: boolean; readonly isCode: boolean }

export function headOf(column: string): string {
  return HEADS.get(column) ?? toWords(column)
}

/** May need more than one line. */
export function isLong(column: string): boolean {
  return LONG.has(column)
}

export function cellText(column: string, value: string): CellText {
  if (value === '') return { text: UNSET.get(column) ?? '', isSoft: true, isCode: false }
  return { text: toText(column, value), isSoft: false, isCode: CODE.has(column) }
}

function toText(column: string, value: string): string {
  if (column === 'storageDays') return T.days(Number(value))
  if (column === 'storageMaxBytes') return printBytes(Number(value))
  if (column === 'cron') return sayCron(value)
  if (column === 'operations' && value === '*') return T.everything
  // Lists come as they are sent: a,b.
  return CODE.has(column) ? value : value.replace(/,(?=\S)/g, ', ')
}
