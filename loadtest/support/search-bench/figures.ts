// What is measured: the questions of the search figures, each as our query, the limit asked of us, and as the peer is asked it.
import { RARE_WORD } from './event-bodies.ts'

export type Figure = {
  readonly name: string
  /** A text: the public search. `json`: our JSON interface, all of its questions one after the other. */
  readonly ours: string | { readonly json: readonly JsonQuestion[]; readonly orSearch: string[] }
  /** The last quarter of an hour of the events; else all of them. */
  readonly isRecent?: true
  readonly limitMs?: number
  readonly peer?: PeerQuestion
  /** How many times quicker than the peer is asked; `enoughMs`: or simply this quick. */
  readonly asked?: { readonly times: number; readonly enoughMs?: number }
  /** Both give this one number, or the peer looks at less. */
  readonly compares?: 'number'
}

export type JsonQuestion = {
  readonly path: string
  readonly parameters: Readonly<Record<string, string>>
}

/** Ways to ask the same: the quickest counts. */
export type PeerQuestion = readonly (
  | { readonly query: string; readonly limit?: string }
  | { readonly facets: string; readonly fields: number }
)[]

const SORTS = { times: 10 }
const AGGREGATES = { times: 3 }
const SCANS = { times: 1 }
const LOOKS_UP = { times: 1, enoughMs: 20 }

const FACETS = ['service', 'level', 'status', 'thread', 'column.host', 'log']

export function listFigures(traceId: string): readonly Figure[] {
  return [
    { name: 'one word, newest 100 of 15 minutes', ours: 'deadline', isRecent: true, limitMs: 30 },
    {
      name: 'one word, newest 100 of everything',
      ours: 'deadline',
      limitMs: 80,
      peer: newest('deadline'),
      asked: SORTS,
    },
    {
      name: 'word and column test, newest 100',
      ours: 'declined AND level = ERROR',
      limitMs: 80,
      peer: newest('declined level:=ERROR'),
      asked: SORTS,
    },
    { name: 'newest 100 of everything', ours: '*', peer: newest('*'), asked: SORTS },
    { name: 'rare word', ours: RARE_WORD, limitMs: 30, peer: newest(`note:${RARE_WORD}`) },
    {
      name: 'exact trace id',
      ours: traceId,
      limitMs: 30,
      peer: newest(`trace_id:=${traceId}`),
      asked: LOOKS_UP,
    },
    {
      name: 'absent word',
      ours: 'zebrafish',
      limitMs: 15,
      peer: newest('zebrafish'),
      asked: LOOKS_UP,
    },
    {
      name: 'count by level',
      ours: '* | count | group by level',
      limitMs: 100,
      peer: [{ query: '* | stats by (level) count() rows' }],
      asked: AGGREGATES,
    },
    {
      name: 'count by service',
      ours: '* | count | group by service',
      limitMs: 100,
      peer: [{ query: '* | stats by (service) count() rows' }],
      asked: LOOKS_UP,
    },
    {
      name: 'count by log',
      ours: '* | count | group by log',
      limitMs: 100,
      peer: [{ query: '* | stats by (productName) count() rows' }],
      asked: AGGREGATES,
    },
    {
      name: 'word by service with average',
      ours: 'timeout | count, avg duration_ms | group by service',
      peer: [{ query: 'timeout | stats by (service) count() rows, avg(duration_ms) mean' }],
      asked: AGGREGATES,
    },
    {
      name: 'histogram of a word by minute',
      ours: 'timeout | count | interval 1 minute',
      peer: [{ query: 'timeout | stats by (_time:1m) count() rows' }],
      asked: AGGREGATES,
    },
    {
      name: 'six facets over a word',
      ours: {
        json: [{ path: 'facets', parameters: { query: 'timeout', columns: FACETS.join(',') } }],
        orSearch: facetQueries('timeout'),
      },
      peer: [
        { query: 'timeout | fields service, level, status, thread, host, productName | facets 10' },
        { facets: 'timeout', fields: 10 },
      ],
      asked: AGGREGATES,
    },
    {
      name: 'histogram and six facets over everything',
      ours: {
        json: [
          { path: 'histogram', parameters: { query: '*' } },
          { path: 'facets', parameters: { query: '*', columns: FACETS.join(',') } },
        ],
        orSearch: ['* | count | interval 1 hour', ...facetQueries('*')],
      },
      limitMs: 300,
    },
    counted('thread = value', 'thread = worker-7', 'thread:=worker-7', SCANS),
    counted('duration > 500', 'duration_ms > 500', 'duration_ms:>500', SCANS),
    counted('phrase', '"deadline exceeded"', '"deadline exceeded"', SCANS, 1000),
    {
      name: 'phrase, newest 100',
      ours: '"deadline exceeded"',
      limitMs: 1000,
      peer: newest('"deadline exceeded"'),
    },
    counted('leading wildcard', '*exceeded', '~"exceeded( |$)"', SCANS, 1000),
    counted('regular expression', 'message matches "retries$"', '~"retries$"', SCANS, 1000),
    counted('trailing wildcard, time*', 'time*', 'time*', SCANS),
    {
      ...counted('number, 404', '404', '404', SCANS),
      // The peer looks at the message only, which is less work and finds less.
      compares: undefined,
    },
    counted('one word', 'deadline', 'deadline', SCANS),
  ]
}

function newest(query: string): PeerQuestion {
  return [{ query: `${query} | sort by (_time desc) limit 100` }, { query, limit: '100' }]
}

function counted(
  name: string,
  ours: string,
  peers: string,
  asked: Figure['asked'],
  limitMs?: number,
): Figure {
  return {
    name: `${name}, count`,
    ours: `${ours} | count`,
    ...(limitMs === undefined ? {} : { limitMs }),
    peer: [{ query: `${peers} | stats count() rows` }],
    ...(asked ? { asked } : {}),
    compares: 'number',
  }
}

function facetQueries(filter: string): string[] {
  return FACETS.map((name) => `${filter} | count | group by ${name} | limit 10`)
}
