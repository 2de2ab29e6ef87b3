// The sample logs of the search language's reference: what its example queries are about.
import type { KnownColumn, SearchableLog } from '../../../query/language/search-input.ts'

type Kind = KnownColumn['kind']

const LOGS: readonly (SearchableLog & { columns: Readonly<Record<string, Kind>> })[] = [
  {
    id: 1,
    folder: ['Web', 'Edge'],
    name: 'access',
    appTags: ['Storefront'],
    typeWords: ['httpd'],
    columns: {
      'Remote IP': 'text',
      User: 'text',
      Method: 'text',
      URL: 'text',
      Query: 'text',
      Status: 'number',
      'Bytes Sent': 'number',
      'Time Taken': 'number',
      Referer: 'text',
      'User Agent': 'text',
    },
  },
  {
    id: 2,
    folder: ['Linux', 'SSH'],
    name: 'ssh auth',
    appTags: ['Infra'],
    typeWords: ['sshd'],
    columns: {
      Process: 'text',
      Event: 'text',
      User: 'text',
      'Source IP': 'text',
      'Source Port': 'number',
      'Auth Method': 'text',
    },
  },
  {
    id: 3,
    folder: ['Apps', 'Orders'],
    name: 'orders',
    appTags: ['Storefront'],
    typeWords: [],
    columns: {
      Level: 'text',
      Thread: 'text',
      Logger: 'text',
      'Session ID': 'id',
      'process time (ms)': 'number',
      Text: 'text',
    },
  },
  {
    id: 4,
    folder: ['Network', 'Firewall'],
    name: 'fw01',
    appTags: ['Infra'],
    typeWords: [],
    columns: {
      Action: 'text',
      Protocol: 'text',
      'Source IP': 'text',
      'Source Port': 'number',
      'Destination IP': 'text',
      'Destination Port': 'number',
      Bytes: 'number',
      Rule: 'text',
    },
  },
]

export const SAMPLE_LOGS: readonly SearchableLog[] = LOGS

export const SAMPLE_COLUMNS: ReadonlyMap<number, readonly KnownColumn[]> = new Map(
  LOGS.map(({ id, columns }) => [
    id,
    Object.entries(columns).map(([name, kind], position) => ({ logId: id, name, kind, position })),
  ]),
)
