// Keys of datastream: columns that events and counters both have.
import { printFolder } from '../../../../schemas/names/log-path.ts'
import type { BuiltInColumn } from '../../built-in-columns.ts'
import type { SearchableLog } from '../../search-input.ts'
import { type Operand, textOperand } from '../tests/operand.ts'

/** undefined: no key of datastream. */
export function flowOperand(
  column: BuiltInColumn,
  logs: readonly SearchableLog[],
): Operand | undefined {
  switch (column) {
    case 'log':
      return { kind: 'perLog', logs, textsOf: (log) => [log.name] }
    case 'folder':
      return { kind: 'perLog', logs, textsOf: (log) => [printFolder(log.folder)] }
    case 'apptags':
      return { kind: 'perLog', logs, textsOf: (log) => log.appTags }
    case 'host':
    case 'source':
      return textOperand(column)
    case 'timestamp':
    case 'message':
    case 'raw':
    case 'size':
      return undefined
  }
}
