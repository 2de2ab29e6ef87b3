// Query texts with faults: characters and words left out, doubled, moved, replaced, and halves of
// two queries put together.
import type { Random } from '../reference/random/random.ts'

const MARKS = [
  ...[
    '"',
    '\\',
    '(',
    ')',
    '[',
    ']',
    '|',
    ',',
    '=',
    '!=',
    '<',
    '>=',
    '->',
    '*',
    '?',
    '{',
    '}',
    "'",
    '`',
  ],
  ...[
    '%',
    '$',
    '@',
    '{p0:String}',
    '--',
    '/*',
    ';',
    '\u0000',
    '\n',
    '\u00a0',
    '\u2028',
    '\ud800',
    '😀',
  ],
  ...[
    'ß',
    'İ',
    'Σ',
    '\ufeff',
    '\u202e',
    '0',
    '-1',
    '1e400',
    '9'.repeat(40),
    '0.0000001',
    'NaN',
    'inf',
  ],
]
const WORDS = [
  ...[
    'and',
    'or',
    'not',
    'in',
    'as',
    'by',
    'if',
    'to',
    'on',
    'with',
    'from',
    'asc',
    'desc',
    'null',
  ],
  ...[
    'count',
    'sum',
    'avg',
    'min',
    'first',
    'values',
    'percent',
    'percentile',
    'time',
    'start time',
  ],
  ...[
    'group by',
    'interval',
    'interval 1 day',
    'datastream',
    'limit',
    'offset',
    'list',
    'order by',
  ],
  ...[
    'where',
    'display',
    'display only',
    'extract',
    'replace',
    'round',
    'dedup',
    'transpose',
    'join',
  ],
  ...[
    '| count',
    '| group by Status',
    '| transpose',
    '| order by count',
    '| limit 3',
    '| dedup log',
  ],
  ...[
    'contains',
    'matches',
    'between',
    'within',
    'exists',
    'starts with',
    'in number format("0.0")',
  ],
  ...['in expression format("column.count / 0")', 'in date format("yyyy")', 'in query format("a")'],
  ...[
    'Status',
    'User',
    'Bytes Sent',
    'timestamp',
    'apptags',
    'size',
    'raw',
    'column.host',
    'event.log',
  ],
  ...[
    'in log.access',
    'not in folder.Web',
    '[ * | count | group by User ]',
    '"a b"',
    '".*("',
    '(?i)',
  ],
]

/** One to four faults in one of the texts. */
export function mutate(random: Random, texts: readonly string[]): string {
  let text = random.pick(texts)
  for (let left = 1 + random.below(4); left > 0; left -= 1) text = mutateOnce(random, text, texts)
  return text
}

function mutateOnce(random: Random, text: string, texts: readonly string[]): string {
  const at = random.below(text.length + 1)
  const end = Math.min(text.length, at + 1 + random.below(6))
  const words = text.split(' ')
  const place = random.below(words.length)
  switch (random.below(10)) {
    case 0:
      return text.slice(0, at) + text.slice(end)
    case 1:
      return text.slice(0, at) + random.pick(MARKS) + text.slice(at)
    case 2:
      return text.slice(0, at) + random.pick(MARKS) + text.slice(end)
    case 3:
      return words.toSpliced(place, 1).join(' ')
    case 4:
      return words.toSpliced(place, 0, random.pick(WORDS)).join(' ')
    case 5:
      return words.toSpliced(place, 1, random.pick(WORDS)).join(' ')
    case 6:
      return words.toSpliced(place, 0, random.pick(words)).join(' ')
    case 7:
      return text.slice(0, at)
    case 8: {
      const other = random.pick(texts)
      return text.slice(0, at) + other.slice(random.below(other.length + 1))
    }
    default: {
      const stages = text.split(' | ')
      const other = random.pick(texts).split(' | ')
      return stages.toSpliced(1 + random.below(stages.length), 0, random.pick(other)).join(' | ')
    }
  }
}
