// Columns as the generator of queries sees them: what may sensibly be done with each.

/**
 * numeric: numbers and texts that read as numbers; mixed: texts among them; cased: texts that
 * differ in letter case alone, whose least and greatest are therefore not one spelling; odd: texts
 * that are numbers for functions alone (`1,234`, ` 7 `).
 */
export type ColumnKind =
  | 'number'
  | 'numeric'
  | 'mixed'
  | 'text'
  | 'cased'
  | 'odd'
  | 'date'
  | 'tags'
  | 'bool'

export type QueryColumn = {
  /** As written in a query. */
  readonly name: string
  readonly kind: ColumnKind
  /** Values for tests, as written. */
  readonly values: readonly string[]
}

const NUMBERS = ['0', '0.25', '-0.5', '1.75', '2', '10', '12.50', '100', '404', '1e2', '1000', '-7']
const NAMES = ['alice', 'BOB', 'root', '"GRÖSSE"', 'größe', 'οδος', '"a b"', 'svc_*', '?ob', 'x-1']

export const EVENT_COLUMNS: readonly QueryColumn[] = [
  { name: 'Status', kind: 'mixed', values: ['200', '404', '404.0', '500', 'n/a', '4*', '300'] },
  { name: 'Method', kind: 'cased', values: ['get', 'POST', 'put', 'pass*', 'publickey', 'true'] },
  { name: 'URL', kind: 'text', values: ['/cart', '"/cart/add?id=7"', '/api*', '"/b a"'] },
  { name: 'Bytes Sent', kind: 'numeric', values: NUMBERS },
  {
    name: 'Remote IP',
    kind: 'text',
    values: ['10.2.3.4', '10.20.0.1', '0:0:0:0:0:0:0:1', '192.168.7.9', '10.*', '5'],
  },
  { name: 'User', kind: 'cased', values: NAMES },
  { name: 'Port', kind: 'mixed', values: ['22', '443', '22.0', 'ssh', '50000'] },
  { name: 'Level', kind: 'cased', values: ['warn', 'INFO', 'error', 'fatal', 'odd', 'debug'] },
  { name: 'process time (ms)', kind: 'number', values: NUMBERS },
  { name: 'Flag', kind: 'mixed', values: ['true', 'false', 'no', '1'] },
  { name: 'Rule', kind: 'text', values: ['"rule=12 deny tcp"', '"no rule"', 'rule\\=*'] },
  { name: 'Amount', kind: 'odd', values: [] },
  {
    name: 'Session ID',
    kind: 'text',
    values: ['0123456789abcdef', 'fedcba9876543210', 's1', '01*'],
  },
  {
    name: 'trace',
    kind: 'text',
    values: ['4f3e2d1c-9a8b-7c6d-5e4f-deadbeef1234', 'abcdef0123456789', 'dead*'],
  },
  { name: 'Due', kind: 'text', values: ['2026-03-08', '"03/07/2026 23:59:59"', 'soon', '2026*'] },
  { name: 'host', kind: 'cased', values: ['web-01', 'web-*', 'größe'] },
  { name: 'log', kind: 'cased', values: ['access', 'fw01', '"ssh auth"', '*w*'] },
  { name: 'folder', kind: 'text', values: ['Web', '"Web->Edge"', 'network', 'Apps*'] },
  { name: 'source', kind: 'text', values: ['Default', '*.log'] },
  { name: 'apptags', kind: 'tags', values: ['Infra', 'storefront', 'inf*', 'none'] },
  { name: 'message', kind: 'text', values: ['*timeout*', 'timeout', '404'] },
  { name: 'size', kind: 'number', values: ['500', '1kb', '1000', '725'] },
  { name: 'timestamp', kind: 'date', values: [] },
  { name: 'column.host', kind: 'text', values: ['json-host', 'x'] },
  { name: 'Nothing', kind: 'text', values: ['x', '1'] },
]

const ALL: readonly ColumnKind[] = [
  'number',
  'numeric',
  'mixed',
  'text',
  'cased',
  'date',
  'tags',
  'bool',
]
export const KEY_KINDS = ALL
export const ORDER_KINDS = ALL.filter((kind) => kind !== 'tags')
export const NUMBER_KINDS: readonly ColumnKind[] = ['number', 'numeric', 'mixed', 'odd']
export const EXTREME_KINDS: readonly ColumnKind[] = [
  'number',
  'numeric',
  'mixed',
  'text',
  'date',
  'odd',
]
export const TEXT_KINDS: readonly ColumnKind[] = ['text', 'cased', 'mixed']

/** What stands in the texts of random-world.ts, and near it. */
export const WORDS = [
  ...[
    'timeout',
    'TIMEOUT',
    'time',
    'time*',
    '*out',
    'user_id',
    'user',
    'maß5',
    'café5b',
    'istanbul',
  ],
  ...[
    '404',
    '4?4',
    '10.2.3.4',
    '10.2.3',
    'deadbeef1234',
    'dead*',
    'key:val',
    '/cart/add',
    '[ERROR]',
  ],
  ...[
    'error',
    'привет',
    'ПРИВЕТ',
    '日本語',
    '...',
    'GET',
    'alice',
    '0.25',
    'rule',
    'nowhere',
    'refused',
  ],
  ...['"connection refused"', '"refused timeout"', '"10.2.3.4, user_id"', '"and"', '"json-host"'],
]

export const SCOPES = [
  ...['log.access', 'log.Access', 'log.?ccess', 'log.Web->Edge->access', 'log.ssh auth', 'log.fw*'],
  ...['folder.Web', 'folder.Web->Edge', 'folder.Linux', 'folder.*', 'app.Infra', 'apptag.infra'],
  ...['server.web-*', 'host.größe', 'file.*.log', 'source.Default', 'type.httpd', 'log.hidden'],
  ...['log.none', 'log."it\'s `a` \\"log\\""', '*'],
]

export const INTERVALS = [
  ...[
    '15 minutes',
    '30 min',
    '1 hour',
    'hour',
    '2 h',
    '6 hours',
    '5 hours',
    'day',
    '1 day',
    '2 days',
  ],
  ...['week', 'month', 'year', '90 minutes', '2 weeks', '3 months', '2 years', '48 hours', '36 h'],
]
