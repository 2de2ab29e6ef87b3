// Which attributes a type takes, and what its format is for.
import type { ColumnType } from './pattern.ts'

export type TypeRules = {
  readonly attributes: readonly string[]
  /** What stands after the attributes: nothing, something, or something that must not be left
   *  out. */
  readonly format: 'none' | 'optional' | 'required'
}

export const COLUMN_TYPES: Readonly<Record<ColumnType, TypeRules>> = {
  string: { attributes: ['ftype'], format: 'none' },
  text: { attributes: ['ftype'], format: 'none' },
  word: { attributes: ['ftype'], format: 'none' },
  date: { attributes: ['ftype', 'timeDiff', 'locale', 'localeView'], format: 'required' },
  timestamp: { attributes: ['ftype', 'product', 'timeDiff'], format: 'optional' },
  number: { attributes: ['ftype'], format: 'none' },
  ip: { attributes: ['ftype'], format: 'none' },
  geoip: { attributes: ['ftype'], format: 'none' },
  choice: { attributes: ['ftype'], format: 'required' },
  priority: { attributes: ['ftype'], format: 'optional' },
  url: { attributes: ['ftype', 'paramsFtype', 'paramsName'], format: 'none' },
  pairs: { attributes: ['separator', 'equals'], format: 'none' },
  json: { attributes: [], format: 'none' },
}

export function isColumnType(type: string): type is ColumnType {
  return Object.hasOwn(COLUMN_TYPES, type)
}
