// The columns of the store's `events` table in insert order, with ClickHouse's type names to the
// letter: the Native header must carry exactly these (a differing JSON type name is cast, four
// times the cost). DDL, encoder and queries read this one list.

export const EVENT_COLUMNS = [
  { name: 'policy', type: 'UInt16' },
  { name: 'log_id', type: 'UInt32' },
  { name: 'timestamp', type: "DateTime64(9, 'UTC')" },
  { name: 'received', type: "DateTime64(3, 'UTC')" },
  { name: 'host', type: 'LowCardinality(String)' },
  /** Listener account name, later also file path. */
  { name: 'source', type: 'LowCardinality(String)' },
  /** The message; '' for an event taken whole (its layout starts with 'w'; message is then
   *  `raw`). */
  { name: 'message', type: 'String' },
  /** '\x1f' before each leaf value of the event that is neither in message nor in ids, unescaped,
   *  numbers as written. First those of `names`, in their order ('' for one that is not there),
   *  then the others. */
  { name: 'rest', type: 'String' },
  /** Column names of the first values of `rest` (schemas/shown-columns.ts). */
  { name: 'names', type: 'LowCardinality(String)' },
  /** Column names of `ids`. */
  { name: 'id_names', type: 'LowCardinality(String)' },
  /** String values of 16 or more characters of [0-9a-fA-F-], spelled as received, with ' ' between
   *  them. Not in rest, not in columns. */
  { name: 'ids', type: 'String' },
  /** Names and values of the columns whose value stands neither in its place in `rest` nor in
   *  `ids`: arrays and the like. */
  { name: 'others', type: 'String' },
  /** Column name -> value of all but ids, to calculate with; variants LowCardinality(String),
   *  String, Float64, Bool only. Reading it for a few events is dear: it is several files a column,
   *  so what is shown comes from `rest`, `others` and `ids`. */
  { name: 'columns', type: 'JSON(max_dynamic_paths=256)' },
  /** How `raw` is rebuilt (schemas/event-layout.ts). */
  { name: 'layout', type: 'LowCardinality(String)' },
  /** The event's bytes, only where they cannot be rebuilt; else ''. */
  { name: 'raw', type: 'String' },
  /** Bytes of the event as received. */
  { name: 'size', type: 'UInt32' },
  { name: 'partition', type: 'UInt16' },
  { name: 'offset', type: 'UInt64' },
  /** Index over all events of the block at `offset`. */
  { name: 'index', type: 'UInt32' },
] as const

export type EventColumn = (typeof EVENT_COLUMNS)[number]['name']
