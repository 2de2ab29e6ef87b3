// Some hundred events whose texts are the ones on which word indexes, case tables and number
// readers go wrong.
import type { SearchableLog } from '../../../query/language/search-input.ts'

export type HostileEvent = {
  readonly number: number
  readonly log: SearchableLog
  readonly timestampMs: number
  readonly host: string
  readonly source: string
  /** '' for an event taken whole, which has `raw`. */
  readonly message: string
  readonly raw: string
  readonly isWhole: boolean
  /** Texts of all other values but identifiers. */
  readonly values: readonly string[]
  readonly ids: Readonly<Record<string, string>>
  /** Numbers are those that fit a double as written; others are texts. */
  readonly columns: Readonly<Record<string, string | number | boolean>>
}

const log = (
  id: number,
  folder: string[],
  name: string,
  appTags: string[] = [],
  typeWords: string[] = [],
): SearchableLog => ({ id, folder, name, appTags, typeWords })

export const HOSTILE_LOGS: readonly SearchableLog[] = [
  log(1, ['Web', 'Edge'], 'access', ['Storefront', 'infra'], ['httpd']),
  log(2, ['Web'], 'Access', ['Storefront']),
  log(3, ['Linux', 'SSH'], 'ssh auth', ['Infra']),
  log(4, ['Apps'], 'it\'s `a` "log"', []),
  log(5, ['Secret'], 'hidden', ['Infra']),
]

export const WORDS = [
  ...[
    'Maß5',
    'maß',
    'café5b',
    'cafe',
    'größe',
    'GRÖSSE',
    'GRÖßE',
    'naïve',
    'e\u0301t',
    'user_id',
    'user',
  ],
  ...[
    '10.2.3.4',
    '10.2.3.40',
    '110.2.3.4',
    '10.2.3.4.5',
    '::1',
    '404',
    '4041',
    '0404',
    '1.10',
    '1.1',
  ],
  ...[
    '1e3',
    'deadbeef1234',
    'DEADBEEF1234',
    'x2y',
    'utf8',
    'b5',
    'timeout',
    'time',
    'Time-out',
    'TIME',
  ],
  ...[
    'İstanbul',
    'istanbul',
    'Iğdır',
    'ΟΔΟΣ',
    'οδος',
    'οδοσ',
    '\u212Aelvin',
    'kelvin',
    '\u017Fhort',
    'short',
  ],
  ...[
    'привет',
    'ПРИВЕТ',
    '日本語',
    '日本',
    '٣٤٥',
    'Ⅷ',
    '²',
    '😀',
    '[ERROR]',
    'error',
    'ERROR!',
    'and',
  ],
  ...[
    'C:\\Temp\\x.log',
    '/cart/add',
    '/cart/added',
    'key:val',
    'a"b',
    "it's",
    '100%',
    '*',
    '?',
    'a*b',
    '{p0:String}',
  ],
  ...[
    'user-42',
    'user-x42',
    'user-',
    '-',
    '_',
    '__x',
    'foo\u00a0bar',
    'foo\u2028bar',
    'a\u200bb',
    'trailing.',
    '...',
  ],
  ...['2026-11-21T09:05:07.123Z', '21t09', '123z', 'at09', '5zz'],
]
const UUIDS = [
  '4F3E2D1C-9a8b-7c6d-5e4f-DEADBEEF1234',
  '4f3e2d1c-cafe-0404-beef-0123456789ab',
  'ABCDEF0123456789',
  'deadbeefdeadbeef',
  '1234567890123456',
]
const NUMBERS = [0, 1, -1, 1.1, 404, 500, 1e21, 1e-7, 0.1, 123456789.5, -0.5]
const NUMBER_TEXTS = [
  '1.10',
  '0404',
  '1e3',
  '1e400',
  '-1e400',
  '+5',
  '5.',
  '.5',
  '404',
  '00',
  '9'.repeat(30),
  `0.${'1'.repeat(30)}`,
]
const TEXTS = [
  'GET',
  'get',
  'Post',
  'DEBUG',
  'info',
  'WARN',
  'Warning',
  'Error',
  'fatal',
  '10.2.3.4',
  '10.20.0.1',
  '::1',
  '0:0:0:0:0:0:0:1',
  'fe80::ff',
  '',
  'größe',
  'a b',
  'x\ny',
  'ΟΔΟΣ',
]

/** Names by log, in order of first sight: spellings differ between and inside logs. */
export const NAMES = [
  'Status',
  'status',
  'Method',
  'Level',
  'Client IP',
  'trace',
  'Trace',
  'Flag',
  'host',
  'dur (ms)',
]

export const BASE_MS = 1_772_366_400_000

/** The same events at every call. */
export function makeHostileEvents(count: number): HostileEvent[] {
  const random = makeRandom(20261121)
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  const chance = (share: number) => random() < share
  const separators = [' ', ' ', ' ', ', ', '\n', '\t ', '=', '/', '']
  const sentence = () => {
    let text = pick(WORDS)
    while (chance(0.6)) text += pick(separators) + pick(WORDS)
    return text
  }
  return Array.from({ length: count }, (_, number): HostileEvent => {
    const columns: Record<string, string | number | boolean> = {}
    if (chance(0.7))
      columns[pick(['Status', 'status'])] = pick([...NUMBERS, ...NUMBER_TEXTS, 'n/a', ''])
    if (chance(0.2)) columns.Status = pick(NUMBERS)
    if (chance(0.6)) columns.Method = pick(TEXTS)
    if (chance(0.6)) columns.Level = pick(TEXTS)
    if (chance(0.5)) columns['Client IP'] = pick([...TEXTS, '10.2.3.4', '192.168.7.9', 5])
    if (chance(0.4)) columns.Flag = chance(0.5)
    if (chance(0.3)) columns.host = 'json-host'
    if (chance(0.4)) columns['dur (ms)'] = pick([...NUMBERS, ...NUMBER_TEXTS])
    const ids: Record<string, string> = {}
    if (chance(0.4)) ids[pick(['trace', 'Trace'])] = pick(UUIDS)
    const isWhole = chance(0.15)
    const message = sentence()
    const others = Object.values(columns).map(String)
    while (chance(0.4)) others.push(sentence())
    return {
      number: number + 100,
      log: pick(HOSTILE_LOGS),
      timestampMs: BASE_MS + Math.floor(random() * 40) * 1000,
      host: pick(['web-01', 'web-02', 'Web-01', 'größe']),
      source: pick(['Default', '/var/log/a.log', 'C:\\logs\\b.log']),
      message: isWhole ? '' : message,
      raw: isWhole ? JSON.stringify({ text: message }) : '',
      isWhole,
      values: isWhole ? [message, ...others] : others,
      ids,
      columns,
    }
  })
}

/** mulberry32 */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
