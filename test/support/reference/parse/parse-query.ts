// The reference's own reading of a query, from the text of the language alone
// (search-language#how-a-query-is-built, #grammar): no line of it is the product's. What columns
// the rows have after a stage is asked of the evaluator, over no events.
import { evaluateQuery } from '../rows.ts'
import type { World } from '../run/model.ts'
import type { Filter, Query, Stage } from '../tree.ts'
import { parseFilter } from './filter.ts'
import { type Names, namesOfLogs, namesOfRows } from './names.ts'
import { Reader } from './reader.ts'
import { parseStage } from './stage.ts'
import { takesTransaction } from './transaction.ts'

const LONGEST = 32_768
const MOST_STAGES = 40
const AGGREGATIONS: readonly string[] = ['functions', 'datastream', 'groupBy', 'interval']

export function parseQuery(text: string, world: World): Query {
  const reader = new Reader(text)
  if (text.length > LONGEST) reader.refuse('the query is too long')
  return readQuery(reader, { ...world, events: [], window: { startMs: null, endMs: null } }).query
}

function readQuery(reader: Reader, world: World): { query: Query; names: Names } {
  const parseInner = (inner: Reader) => readQuery(inner, world)
  let names = namesOfLogs(world.logs, world, parseInner)
  const parseSimple = (inner: Reader) => readSource(inner, names)
  const transaction = takesTransaction(reader, (inner) => {
    const filter = parseSimple(inner)
    expectEnd(inner)
    return filter
  })
  const source = transaction ?? ({ kind: 'filterSource', filter: parseSimple(reader) } as const)
  const stages: Stage[] = []
  while (reader.takesSign('|')) {
    // A grouping is about the rows that its functions get.
    if (!isGrouped(reader, stages)) {
      names = namesAfter({ kind: 'query', source, stages }, names, world)
    }
    stages.push(...parseStage(reader, names))
    checkGrouping(reader, stages, source.kind === 'transaction')
  }
  if (stages.length > MOST_STAGES) reader.refuse('too many stages')
  expectEnd(reader)
  const query = { kind: 'query', source, stages } as const
  return { query, names: namesAfter(query, names, world) }
}

function namesAfter(query: Query, before: Names, world: World): Names {
  // Over no events the columns that a second one goes by are not there.
  const last = query.stages.findLastIndex(({ kind }) => AGGREGATIONS.includes(kind))
  const open = query.stages.slice(last + 1).filter(isOpen)
  if (open.length > 1) return before
  const rows = evaluateQuery(query, world)
  const names = namesOfRows(rows, world, { ...before, isOpen: open.length > 0 })
  return names.isOpen ? { ...names, list: [...names.list, ...before.list] } : names
}

function readSource(reader: Reader, names: Names): Filter {
  const { kind } = reader.peek()
  const isEmpty = kind === 'end' || reader.isSign('|')
  return isEmpty ? { kind: 'everything' } : parseFilter(reader, names)
}

function expectEnd(reader: Reader): void {
  if (reader.peek().kind !== 'end') reader.refuse('| or the end is expected')
}

/** Its columns are values of the rows. */
function isOpen(stage: Stage): boolean {
  return stage.kind === 'transpose' || (stage.kind === 'join' && stage.query.stages.some(isOpen))
}

function isGrouped(reader: Reader, stages: readonly Stage[]): boolean {
  const isGrouping =
    reader.afterWords('group by') !== null || reader.afterWords('interval') !== null
  return isGrouping && AGGREGATIONS.includes(stages.at(-1)?.kind ?? '')
}

/** `group by` and `interval` stand once each after functions; `group by` alone counts events. */
function checkGrouping(reader: Reader, stages: readonly Stage[], isTable: boolean): void {
  const kinds = stages.map(({ kind }) => kind)
  let rows = isTable ? 'table' : 'events'
  let open: string[] = []
  for (const kind of kinds) {
    if (kind === 'functions' || kind === 'datastream') {
      open = ['groupBy', 'interval']
      rows = 'table'
    } else if (open.includes(kind)) open = open.filter((own) => own !== kind)
    else if (kind === 'groupBy' && rows === 'events') {
      open = ['interval']
      rows = 'table'
    } else if (kind === 'groupBy' || kind === 'interval')
      reader.refuse(`${kind} must stand directly after a function`)
    else open = []
  }
}
