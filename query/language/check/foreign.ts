// What people bring from SPL, LogsQL, LogQL, KQL, SQL and Lucene, and how it is written here.

/** By the first word of a stage, lower case. */
const STAGES: ReadonlyMap<string, string> = new Map([
  ['stats', 'functions need no word before them: | avg bytes, count group by service'],
  [
    'eventstats',
    'functions need no word before them, and their rows replace the events: | avg bytes group by service',
  ],
  ['streamstats', 'there are no running functions: | count interval 5 minutes counts by time'],
  ['timechart', '| count interval 5 minutes, with group by level before interval'],
  ['chart', '| count group by service'],
  ['top', '| count group by service | order by count desc | limit 10'],
  ['rare', '| count group by service | order by count | limit 10'],
  ['topk', '| count group by service | order by count desc | limit 10'],
  ['bottomk', '| count group by service | order by count | limit 10'],
  ['head', '| limit 10'],
  ['take', '| limit 10'],
  ['tail', '| order by timestamp | limit 10'],
  ['sort', '| order by bytes desc'],
  [
    'eval',
    'a column is worked out where it is shown: | display column in expression format("…"), and cut out of a text with | extract',
  ],
  [
    'extend',
    'a column is worked out where it is shown: | display column in expression format("…"), and cut out of a text with | extract',
  ],
  ['math', 'a column is worked out where it is shown: | display column in expression format("…")'],
  ['rename', '| list column as name, or of a table | display column as name'],
  ['table', '| list timestamp, service'],
  ['fields', '| list timestamp, service'],
  ['field', '| list timestamp, service'],
  ['project', '| list timestamp, service'],
  ['select', '| list timestamp, service'],
  ['keep', '| list timestamp, service'],
  ['columns', '| list timestamp, service'],
  ['summarize', '| count group by service'],
  ['summarise', '| count group by service'],
  ['aggregate', '| count group by service'],
  ['rex', '| extract "user=(?<user>\\w+)" from message'],
  [
    'regex',
    '| where message matches "…", and to cut a column out | extract "user=(?<user>\\w+)" from message',
  ],
  ['regexp', '| extract "user=(?<user>\\w+)" from message'],
  ['parse', '| extract "user=(?<user>\\w+)" from message'],
  ['pattern', '| extract "user=(?<user>\\w+)" from message'],
  ['grok', '| extract "user=(?<user>\\w+)" from message'],
  ['json', 'columns of JSON events are there without a stage'],
  ['spath', 'columns of JSON events are there without a stage'],
  ['unpack_json', 'columns of JSON events are there without a stage'],
  ['unpack_logfmt', 'columns of key=value pairs are there without a stage'],
  ['logfmt', 'columns of key=value pairs are there without a stage'],
  ['unwrap', 'a function names its column: | avg bytes'],
  ['line_format', '| display message'],
  ['label_format', '| list column as name'],
  ['search', 'words and tests of columns stand before the first |, or after | where'],
  ['filter', '| where bytes > 500'],
  ['uniq', '| dedup service'],
  ['unique', '| dedup service'],
  ['distinct', '| dedup service, or to count them | distinct count service'],
  ['order', '| order by bytes desc'],
  ['offset', '| limit 10 offset 20'],
  ['bin', '| count interval 5 minutes'],
  ['bucket', '| count interval 5 minutes'],
  ['span', '| count interval 5 minutes'],
  ['lookup', '| join [ query ] on column'],
  ['append', 'searches are united with or before the first |'],
  ['union', 'searches are united with or before the first |'],
  ['dc', '| distinct count user'],
  ['mean', '| avg bytes'],
  ['average', '| avg bytes'],
  ['p50', '| percentile 50 bytes'],
  ['p90', '| percentile 90 bytes'],
  ['p95', '| percentile 95 bytes'],
  ['p99', '| percentile 99 bytes'],
  ['perc95', '| percentile 95 bytes'],
  ['quantile', '| percentile 95 bytes'],
  ['quantile_over_time', '| percentile 95 bytes interval 5 minutes'],
  ['stddev', '| stdev bytes'],
  ['rate', '| count interval 1 second'],
  ['count_over_time', '| count interval 5 minutes'],
  ['sum_over_time', '| sum bytes interval 5 minutes'],
  ['avg_over_time', '| avg bytes interval 5 minutes'],
  ['count_uniq', '| distinct count user'],
  ['countif', '| count if (level = ERROR)'],
  ['dcount', '| distinct count user'],
  ['range', '| min bytes, max bytes'],
  ['from', 'logs are chosen before the first |: in log.web'],
  ['index', 'logs are chosen before the first |: in log.web'],
  ['having', '| where count > 5, after the functions'],
  ['project-away', '| list names the columns that are shown'],
  ['mv-expand', 'lists of values are not taken apart'],
  ['make-series', '| count interval 5 minutes'],
  ['render', 'charts are drawn by the console: | count interval 5 minutes'],
  [
    'transaction',
    'it stands before the first |: transaction("login","user","in" -> "logout","user","out")',
  ],
  ['delete', '| list names the columns that are shown'],
  ['format', '| display column in number format("#,##0")'],
  ['decolorize', 'texts are shown as they were received'],
  ['~', 'a regular expression is written | where message matches "…"'],
])

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
  ['!~', '\'!~\' is searched as a word: it is written column not matches "…"'],
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

export function foreignStage(word: string): string | undefined {
  const write = STAGES.get(word)
  return write && `unknown stage '${word}', here it is written: ${write}`
}

/** Words that stand in the middle of a stage where the next one begins. */
export function foreignStageInside(word: string): string | undefined {
  const write = STAGES.get(word)
  return write && `| is missing before ${word}, which is written here: ${write}`
}

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
