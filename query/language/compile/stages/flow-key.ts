// Keys of datastream: columns that events and counters both have.

import { LEVEL_SEPARATOR } from '../../../../schemas/log-path.ts'
import type { BuiltInColumn } from '../../built-in-columns.ts'
import type { SearchableLog } from '../../search-input.ts'
import { textOperand } from '../operand.ts'
import type { SqlParams } from '../sql-params.ts'
import { type Key, keySql } from './key-sql.ts'

/** undefined: no key of datastream. */
export function flowKey(
  column: BuiltInColumn,
  logs: readonly SearchableLog[],
  params: SqlParams,
): Key | undefined {
  switch (column) {
    case 'log':
      return perLog((log) => [log.name])
    case 'folder':
      return perLog((log) => [log.folder.join(LEVEL_SEPARATOR)])
    case 'apptags':
      return perLog((log) => log.appTags)
    case 'host':
    case 'source':
      return keySql(textOperand(column), params, 'several')
    case 'timestamp':
    case 'message':
    case 'raw':
    case 'size':
      return undefined
  }

  function perLog(textsOf: (log: SearchableLog) => readonly string[]): Key {
    return keySql({ kind: 'perLog', logs, textsOf }, params, 'several')
  }
}
