// Columns, words and operators of filters that people bring from SPL, LogsQL, LogQL, KQL, SQL and
// Lucene, and how they are written here.

/** Keys from which the time and the text of events are often read: no column is named so then. */
const TIMES = 'ts time @t datetime eventtime event_time timegenerated timecreated'.split(' ')
const TEXTS = 'msg @m @message'.split(' ')

/** By the name of a column that no log has, lower case. */
const COLUMNS: ReadonlyMap<string, string> = new Map([
  ['index', 'logs are chosen with in log.web, not with a column index'],
  ['sourcetype', 'kinds of logs are chosen with in type.apache, not with a column sourcetype'],
  [
    'earliest',
    'the time is not part of the query: startTime=-1h of the call, or | where timestamp > …',
  ],
  ['latest', 'the time is not part of the query: endTime of the call, or | where timestamp < …'],
  ['_time', 'the time of an event is the column timestamp'],
  ['@timestamp', 'the time of an event is the column timestamp'],
  ['_msg', 'the text of an event is the column message'],
  ['_raw', 'the text of an event is the column message, its bytes are the column raw'],
  ['_stream', 'logs are chosen with in log.web, hosts with in server.web-01'],
  ['line', 'the text of an event is the column message'],
  ...TIMES.map((name) => [name, 'the time of an event is the column timestamp'] as const),
  ...TEXTS.map((name) => [name, 'the text of an event is the column message'] as const),
])

/** Those of them that are a column here under another name. */
const SAME_COLUMNS: ReadonlyMap<string, string> = new Map([
  ['_time', 'timestamp'],
  ['@timestamp', 'timestamp'],
  ['_msg', 'message'],
  ['_raw', 'message'],
  ['line', 'message'],
  ...TIMES.map((name) => [name, 'timestamp'] as const),
  ...TEXTS.map((name) => [name, 'message'] as const),
])

/** Words of a filter, lower case, that are operators elsewhere. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['&&', "'&&' is searched as a word: it is written and"],
  ['&', "'&' is searched as a word: it is written and"],
  ['||', "'||' is written or"],
  ['!', "'!' is searched as a word: it is written not"],
  ['--', "'--' is searched as a word: a query holds no remarks"],
  ['//', "'//' is searched as a word: a query holds no remarks"],
  [
    '!~',
    '\'!~\' is searched as a word: it is written column not matches "…", which is of any part of the value: ^(…)$ is of the whole one, as LogQL reads labels',
  ],
  ['~', '\'~\' is searched as a word: it is written column matches "…"'],
])
const BEFORE_VALUE: ReadonlyMap<string, string> = new Map([
  ['like', 'it is written column contains "…", or with wildcards column = *…*'],
  ['ilike', 'it is written column contains "…", or with wildcards column = *…*'],
  ['rlike', 'it is written column matches "…"'],
  ['regexp', 'it is written column matches "…"'],
  ['startswith', 'it is written column starts with "…"'],
  ['endswith', 'it is written column ends with "…"'],
  ['has', 'it is written column contains "…"'],
  ['has_cs', 'it is written column contains "…"'],
  ['contains_cs', 'it is written column contains "…"'],
  ['startswith_cs', 'it is written column starts with "…"'],
  ['hasprefix', 'it is written column starts with "…"'],
  ['hassuffix', 'it is written column ends with "…"'],
  ['is', 'it is written column = value, column exists or column not exists'],
])

export function foreignColumn(name: string): string | undefined {
  const folded = name.toLowerCase()
  if (folded.startsWith('{'))
    return 'labels in braces are not known: write column = value, and logs with in log.web'
  return COLUMNS.get(folded)
}

export function sameColumn(name: string): string | undefined {
  return SAME_COLUMNS.get(name.toLowerCase())
}

export function foreignWord(word: string): string | undefined {
  return WORDS.get(word.toLowerCase())
}

/** A word between a column and a value that is an operator elsewhere. */
export function foreignOperator(word: string): string | undefined {
  const write = BEFORE_VALUE.get(word.toLowerCase())
  return write && `'${word}' is searched as a word: ${write}`
}
