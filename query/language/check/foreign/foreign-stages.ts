// Stages that people bring from SPL, LogsQL, LogQL, KQL and SQL, and how they are written here.

const WORKED_OUT =
  'a column is worked out where it is shown: | display column in expression format("…"), and cut out of a text with | extract'
const SHOWN = '| list timestamp, service'
const HIDDEN = '| list names the columns that are shown'
const RENAMED = '| list column as name, or of a table | display column as name'
const COUNTED = '| count group by service'
const MOST = '| count group by service | order by count desc | limit 10'
const LEAST = '| count group by service | order by count | limit 10'
const BY_TIME = '| count interval 5 minutes'
const DIFFERENT = '| dedup service'
const CUT_OUT = '| extract "user=(?<user>\\w+)" from message'
const UNITED = 'searches are united with or before the first |'
const OF_JSON = 'columns of JSON events are there without a stage'
const OF_PAIRS = 'columns of key=value pairs are there without a stage'
const CHOSEN = 'logs are chosen before the first |: in log.web'
const NO_LISTS = 'lists of values are not taken apart'
const NOT_RUNNING = `there are no running functions: ${BY_TIME} counts by time`
const MISSING = 'a missing value is named where events are grouped: | count group by user or "none"'
const ONE_TABLE = `several functions of one grouping stand beside each other: | count, avg bytes group by service`
const KEPT =
  'results are kept by an export of the console or of the call, not by a stage of the query'
const COLUMNS_THERE = 'the names of columns are offered by completion and facets of the console'
const NO_LEARNING = `nothing is learned from events: ${BY_TIME}, and shapes of messages are a call of their own`
const NOT_PLACED = 'no place is known of an address: blocks are tested with ip within 10.0.0.0/8'
const SAVED = 'searches are saved and opened in the console, not called by name'
const NO_ORDER =
  '| order by timestamp desc turns the order of events, order by timestamp sorts anew'
const NOT_SAMPLED = 'events are not sampled: | limit 10 shows the newest'
const AS_CHART = `charts are drawn by the console: ${BY_TIME}`

/** By the first word of a stage, lower case. */
const STAGES: ReadonlyMap<string, string> = new Map([
  ...named('stats', 'functions need no word before them: | avg bytes, count group by service'),
  ...named(
    'eventstats',
    'functions need no word before them, and their rows replace the events: | avg bytes group by service',
  ),
  ...named('streamstats running_stats total_stats accum autoregress delta trendline', NOT_RUNNING),
  ...named('scan row_window_session row_cumsum', NOT_RUNNING),
  ...named('timechart', '| count interval 5 minutes, with group by level before interval'),
  ...named('chart', COUNTED),
  ...named('top topk sitop top-nested top-hitters', MOST),
  ...named('rare bottomk sirare', LEAST),
  ...named('head take limitk', '| limit 10'),
  ...named('tail', '| order by timestamp | limit 10'),
  ...named('sort', '| order by bytes desc'),
  ...named('eval extend strcat convert fieldformat reltime rangemap foreach', WORKED_OUT),
  ...named(
    'math',
    'a column is worked out where it is shown: | display column in expression format("…")',
  ),
  ...named('rename project-rename mv copy cp', RENAMED),
  ...named('table fields field project select keep columns project-keep project-reorder', SHOWN),
  ...named('summarize summarise aggregate sistats tstats mstats eventcount metadata', COUNTED),
  ...named('rex parse pattern grok regexp parse-where erex', CUT_OUT),
  ...named(
    'regex',
    '| where message matches "…", and to cut a column out | extract "user=(?<user>\\w+)" from message',
  ),
  ...named('json spath unpack_json tojson xmlkv xpath multikv unpack', OF_JSON),
  ...named('unpack_logfmt logfmt kv extractkv parse-kv', OF_PAIRS),
  ...named('unwrap', 'a function names its column: | avg bytes'),
  ...named('line_format highlight abstract', '| display message'),
  ...named('label_format label_replace', '| list column as name'),
  ...named('search', 'words and tests of columns stand before the first |, or after | where'),
  ...named('filter', '| where bytes > 500'),
  ...named('uniq unique', DIFFERENT),
  ...named('distinct', '| dedup service, or to count them | distinct count service'),
  ...named('order', '| order by bytes desc'),
  ...named('offset', '| limit 10 offset 20'),
  ...named('bin bucket span makecontinuous timewrap', BY_TIME),
  ...named(
    'lookup inputlookup inputcsv externaldata nslookup dnslookup',
    '| join [ query ] on column',
  ),
  ...named('append union multisearch set', UNITED),
  ...named('appendcols appendpipe addtotals addcoltotals', ONE_TABLE),
  ...named('dc', '| distinct count user'),
  ...named('mean average', '| avg bytes'),
  ...named('p50', '| percentile 50 bytes'),
  ...named('p90', '| percentile 90 bytes'),
  ...named('p95', '| percentile 95 bytes'),
  ...named('p99', '| percentile 99 bytes'),
  ...named('perc95 quantile', '| percentile 95 bytes'),
  ...named('quantile_over_time', '| percentile 95 bytes interval 5 minutes'),
  ...named('stddev stdevp var', '| stdev bytes'),
  ...named('earliest', '| first user, the value in the oldest event'),
  ...named('latest', '| last user, the value in the newest event'),
  ...named('earliest_time min_time', '| start time'),
  ...named('latest_time max_time', '| end time'),
  ...named('mode', '| count group by user | order by count desc | limit 1'),
  ...named('rate', '| count interval 1 second'),
  ...named('count_over_time', BY_TIME),
  ...named('sum_over_time', '| sum bytes interval 5 minutes'),
  ...named('avg_over_time', '| avg bytes interval 5 minutes'),
  ...named('count_uniq', '| distinct count user'),
  ...named('make_list make_set uniq_values array_agg string_agg', '| values user'),
  ...named('arg_max row_max', '| order by bytes desc | limit 1'),
  ...named('arg_min row_min', '| order by bytes | limit 1'),
  ...named('countif', '| count if (level = ERROR)'),
  ...named('sumif', '| sum bytes if (level = ERROR)'),
  ...named('dcount', '| distinct count user'),
  ...named('range', '| min bytes, max bytes'),
  ...named('from', CHOSEN),
  ...named('index datamodel mcatalog', CHOSEN),
  ...named('having', '| where count > 5, after the functions'),
  ...named('project-away delete drop del rm', HIDDEN),
  ...named('mv-expand mvexpand mv-apply makemv mvcombine nomv explode unroll', NO_LISTS),
  ...named('make-series', BY_TIME),
  ...named('render gauge geom geostats', AS_CHART),
  ...named(
    'transaction',
    'it stands before the first |: transaction("login","user","in" -> "logout","user","out")',
  ),
  ...named('format', '| display column in number format("#,##0")'),
  ...named('decolorize', 'texts are shown as they were received'),
  ...named('fillnull filldown coalesce fill drop_empty_fields', MISSING),
  ...named('iplocation geoip', NOT_PLACED),
  ...named('xyseries untable pivot contingency', 'a table is turned with | transpose'),
  ...named('reverse', NO_ORDER),
  ...named('sample', NOT_SAMPLED),
  ...named('collect outputlookup outputcsv sendemail sendalert consume', KEPT),
  ...named('fieldsummary field_names field_values facets facet getschema', COLUMNS_THERE),
  ...named('cluster anomalies anomalydetection outlier predict kmeans findtypes', NO_LEARNING),
  ...named('reduce autocluster basket diffpatterns collapse_nums', NO_LEARNING),
  ...named('map savedsearch loadjob invoke', SAVED),
  ...named('makeresults print datatable', 'rows are made of events only: in log.web | count'),
  ...named('replace_regexp', '| replace "regular expression" with "text" in message'),
  ...named('stream_context context', 'the events around one are shown by the console'),
  ...named('return', '| list user, in brackets after in: user in [ error | list user ]'),
  ...named('selfjoin', '| join [ query ] on column'),
  ...named('~', 'a regular expression is written | where message matches "…"'),
])

function named(words: string, write: string): readonly (readonly [string, string])[] {
  return words.split(' ').map((word) => [word, write] as const)
}

export function foreignStage(word: string): string | undefined {
  const write = STAGES.get(word)
  return write && `unknown stage '${word}', here it is written: ${write}`
}

/** Words that stand in the middle of a stage where the next one begins. */
export function foreignStageInside(word: string): string | undefined {
  const write = STAGES.get(word)
  return write && `| is missing before ${word}, which is written here: ${write}`
}
