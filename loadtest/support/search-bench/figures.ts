// What is measured: the questions of the search figures, each as our query, the limit asked of us,
// and as the peer is asked it.
import { RARE_WORD } from './event-bodies.ts'

export type Figure = {
  readonly name: string
  /** A text: the public search. An object: one address of our JSON interface. */
  readonly ours: string | JsonQuestion
  /** The last quarter of an hour of the events; else all of them. */
  readonly isRecent?: true
  readonly limitMs?: number
  readonly peer?: PeerQuestion
  /** The peer's `limit` argument instead of a sort: its quickest way to the newest rows, which the
   *  figures do not ask of. */
  readonly peerShortcut?: PeerQuestion
  /** What the peer took where the limits were set: tells how quick this machine is beside that
   *  one. */
  readonly peerThenMs?: number
  /** How many times quicker than the peer is asked; `enoughMs`: or simply this quick. */
  readonly asked?: { readonly times: number; readonly enoughMs?: number }
  /** Both give this one number. */
  readonly compares?: 'number'
}

export type JsonQuestion = {
  readonly path: string
  readonly parameters: Readonly<Record<string, unknown>>
}

export type PeerQuestion =
  | { readonly query: string; readonly limit?: string }
  | { readonly facets: string; readonly fields: number }

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
      ...newest('deadline'),
      peerThenMs: 828,
      asked: SORTS,
    },
    {
      name: 'word and column test, newest 100',
      ours: 'declined AND level = ERROR',
      limitMs: 80,
      ...newest('declined level:=ERROR'),
      peerThenMs: 722,
      asked: SORTS,
    },
    { name: 'newest 100 of everything', ours: '*', ...newest('*'), peerThenMs: 895, asked: SORTS },
    { name: 'rare word', ours: RARE_WORD, limitMs: 30, ...newest(`note:${RARE_WORD}`) },
    {
      name: 'exact trace id',
      ours: traceId,
      limitMs: 30,
      ...newest(`trace_id:=${traceId}`),
      peerThenMs: 4.6,
      asked: LOOKS_UP,
    },
    {
      name: 'absent word',
      ours: 'zebrafish',
      limitMs: 15,
      ...newest('zebrafish'),
      peerThenMs: 3.9,
      asked: LOOKS_UP,
    },
    {
      name: 'count by level',
      ours: '* | count | group by level',
      limitMs: 100,
      peer: { query: '* | stats by (level) count() rows' },
      peerThenMs: 190,
      asked: AGGREGATES,
    },
    {
      name: 'count by service',
      ours: '* | count | group by service',
      limitMs: 100,
      peer: { query: '* | stats by (service) count() rows' },
      peerThenMs: 2.2,
      asked: LOOKS_UP,
    },
    {
      name: 'count by log',
      ours: '* | count | group by log',
      limitMs: 100,
      peer: { query: '* | stats by (productName) count() rows' },
      asked: AGGREGATES,
    },
    {
      name: 'word by service with average',
      ours: 'timeout | count, avg duration_ms | group by service',
      peer: { query: 'timeout | stats by (service) count() rows, avg(duration_ms) mean' },
      peerThenMs: 511,
      asked: AGGREGATES,
    },
    {
      name: 'histogram of a word by minute',
      ours: 'timeout | count | interval 1 minute',
      peer: { query: 'timeout | stats by (_time:1m) count() rows' },
      peerThenMs: 545,
      asked: AGGREGATES,
    },
    {
      name: 'six facets over a word',
      ours: { path: 'facets', parameters: { query: 'timeout', columns: FACETS } },
      peer: { facets: 'timeout', fields: 10 },
      peerThenMs: 668,
      asked: AGGREGATES,
    },
    {
      name: 'histogram and six facets over everything',
      ours: { path: 'overview', parameters: { query: '*', columns: FACETS } },
      limitMs: 300,
      peer: { facets: '*', fields: 10 },
    },
    counted('thread = value', 'thread = worker-7', 'thread:=worker-7', SCANS),
    counted('duration > 500', 'duration_ms > 500', 'duration_ms:>500', SCANS),
    counted('phrase', '"deadline exceeded"', '"deadline exceeded"', SCANS, 1000),
    {
      name: 'phrase, newest 100',
      ours: '"deadline exceeded"',
      limitMs: 1000,
      ...newest('"deadline exceeded"'),
    },
    counted('leading wildcard', '*exceeded', '~"exceeded( |$)"', SCANS, 1000),
    counted('regular expression', 'message matches "retries$"', '~"retries$"', SCANS, 1000),
    counted('trailing wildcard, time*', 'time*', 'time*', SCANS),
    // The peer looks at the message only unless it is told; an integer part is a word here.
    counted('number, 404', '404', '(404 or status:=404 or duration_ms:~"^404(\\\\.|$)")', SCANS),
    {
      name: 'number, 404, in messages only at the peer',
      ours: '404 | count',
      peer: { query: '404 | stats count() rows' },
    },
    counted('one word', 'deadline', 'deadline', SCANS),
  ]
}

function newest(query: string): Pick<Figure, 'peer' | 'peerShortcut'> {
  return {
    peer: { query: `${query} | sort by (_time desc) limit 100` },
    peerShortcut: { query, limit: '100' },
  }
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
    peer: { query: `${peers} | stats count() rows` },
    ...(asked ? { asked } : {}),
    compares: 'number',
  }
}
