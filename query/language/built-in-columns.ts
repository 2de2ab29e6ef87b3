// The columns every event has (search-language#built-in-columns).

export type BuiltInColumn =
  | 'timestamp'
  | 'log'
  | 'folder'
  | 'host'
  | 'source'
  | 'apptags'
  | 'message'
  | 'raw'
  | 'size'

const NAMES: ReadonlyMap<string, BuiltInColumn> = new Map<string, BuiltInColumn>([
  ['timestamp', 'timestamp'],
  ['date', 'timestamp'],
  ['log', 'log'],
  ['folder', 'folder'],
  ['host', 'host'],
  ['server', 'host'],
  ['source', 'source'],
  ['file', 'source'],
  ['apptags', 'apptags'],
  ['apptag', 'apptags'],
  ['app', 'apptags'],
  ['message', 'message'],
  ['raw', 'raw'],
  ['size', 'size'],
])

/** By name or synonym in any letter case. */
export function builtInColumn(name: string): BuiltInColumn | undefined {
  return NAMES.get(name.toLowerCase())
}

export const BUILT_IN_NAMES: readonly string[] = [...NAMES.keys()]

/** What a simple search shows of every event, before its parsed columns
 *  (search-language#the-result-of-a-simple-search). */
export const FIXED_COLUMNS: readonly BuiltInColumn[] = [
  'timestamp',
  'log',
  'folder',
  'host',
  'source',
  'message',
]
