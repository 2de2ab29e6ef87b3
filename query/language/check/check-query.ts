// A query that parses may still not be what was meant (decision 4.10). What can only be a mistake
// is an error; what may be one is a warning with its place, the nearest name and what to write.
// What a query computes does not change.
import { makeColumnNames, uniteColumnNames } from '../column-names.ts'
import type { RowState } from '../parse/parse-context.ts'
import { transactionColumns } from '../parse/parse-transaction.ts'
import { NO_PARSED, type QueryCatalog } from '../resolve/query-catalog.ts'
import { stageSyntax } from '../stages/all-stages.ts'
import { isAdding } from '../stages/display.ts'
import type { ColumnRef, DisplayItem, FunctionCall, Query, Stage } from '../tree.ts'
import { type CheckedRows, ColumnCheck } from './check-column.ts'
import { FilterCheck } from './check-filter.ts'
import { checkTitles } from './check-title.ts'
import { type Finding, Findings } from './findings.ts'

/** `text`: what the query was read from. Throws Failure `search.query` { position (from 1),
 *  reason }. */
export function checkQuery(text: string, query: Query, catalog: QueryCatalog): readonly Finding[] {
  const findings = new Findings()
  new QueryCheck(text, catalog, findings).query(query)
  return findings.list()
}

class QueryCheck {
  readonly #text: string
  readonly #findings: Findings
  readonly #catalog: QueryCatalog
  readonly #columns: ColumnCheck
  readonly #filters: FilterCheck

  constructor(text: string, catalog: QueryCatalog, findings: Findings) {
    this.#text = text
    this.#findings = findings
    this.#catalog = catalog
    this.#columns = new ColumnCheck(text, catalog.inScopes([]), findings)
    this.#filters = new FilterCheck({
      text,
      catalog,
      findings,
      columns: this.#columns,
      checkQuery: (inner) => void this.query(inner),
    })
  }

  /** The names of the rows that the query gives. */
  query({ source, stages }: Query): CheckedRows {
    let rows: CheckedRows
    if (source.kind === 'transaction') {
      for (const { filter } of source.steps) this.#filters.source(filter)
      const names = makeColumnNames(transactionColumns(source))
      rows = { names, kindsOf: NO_PARSED, isTable: true, isOpen: false }
    } else {
      this.#filters.source(source.filter)
      const names = this.#catalog.inFilter(source.filter)
      const kindsOf = this.#catalog.kindsInFilter(source.filter)
      rows = { names, kindsOf, isTable: false, isOpen: false }
    }
    return this.#stages(stages, rows)
  }

  /** `percentile 0.95 bytes` */
  #share({ name, percentile, start }: FunctionCall): void {
    if (name !== 'percentile' || percentile === null || percentile <= 0 || percentile >= 1) return
    const write = `percentile ${Number((100 * percentile).toPrecision(6))}`
    const message = `percentile ${percentile} is that of ${percentile} in 100: perhaps ${write} was meant`
    this.#findings.warn('query.other_language', message, start)
  }

  #stages(stages: readonly Stage[], first: CheckedRows): CheckedRows {
    let rows = first
    /** What the functions before a grouping have read. */
    let grouped = first
    let aggregation: RowState['aggregation'] = null
    for (const stage of stages) {
      if (stage.kind === 'functions') grouped = rows
      // It counts by built-in columns only.
      if (stage.kind === 'datastream') grouped = { ...rows, kindsOf: NO_PARSED }
      const read = stage.kind === 'groupBy' && aggregation ? grouped : rows
      rows = this.#stage(stage, read, { rows, aggregation })
      aggregation = stateAfter(stage, rows, aggregation)
    }
    return rows
  }

  #stage(
    stage: Stage,
    read: CheckedRows,
    before: { readonly rows: CheckedRows; readonly aggregation: RowState['aggregation'] },
  ): CheckedRows {
    const use = stage.kind === 'orderBy' ? 'order' : 'other'
    for (const column of columnsOf(stage)) this.#columns.check(column, read, use)
    for (const column of madeBy(stage)) this.#columns.checkMade(column, read)
    checkTitles(stage, this.#text, read.names, this.#findings)
    if (stage.kind === 'where') this.#filters.rows(stage.filter, read)
    if (stage.kind === 'functions') {
      for (const call of stage.functions) this.#share(call)
      for (const { condition } of stage.functions)
        if (condition !== null) this.#filters.rows(condition, read)
    }
    if (stage.kind === 'join') {
      const inner = this.query(stage.query)
      if (stage.right !== null) this.#columns.check(stage.right, inner)
      return { ...read, names: uniteColumnNames(read.names, inner.names), isOpen: true }
    }
    // Its columns depend on the data.
    if (stage.kind === 'transpose')
      return { ...read, kindsOf: NO_PARSED, isTable: true, isOpen: true }
    const after = stageSyntax(stage.kind).after
    if (after === undefined) return before.rows
    const { names, isTable } = before.rows
    const kind = isTable ? 'table' : 'events'
    const state = after(stage, { rows: kind, names, aggregation: before.aggregation })
    const isSame = stage.kind !== 'functions' && stage.kind !== 'datastream'
    return {
      names: state.names,
      kindsOf: state.rows === 'table' ? NO_PARSED : before.rows.kindsOf,
      isTable: state.rows === 'table',
      isOpen: isSame && before.rows.isOpen,
    }
  }
}

function stateAfter(
  stage: Stage,
  rows: CheckedRows,
  before: RowState['aggregation'],
): RowState['aggregation'] {
  const after = stageSyntax(stage.kind).after
  if (after === undefined) return null
  const state = after(stage, { rows: 'table', names: rows.names, aggregation: before })
  return state.aggregation
}

/** Of the rows that the stage reads. */
function columnsOf(stage: Stage): readonly ColumnRef[] {
  switch (stage.kind) {
    case 'functions':
      return stage.functions.flatMap(({ column }) => column ?? [])
    case 'groupBy':
      return stage.keys.map(({ column }) => column)
    case 'orderBy':
      return stage.keys.map(({ column }) => column)
    case 'list':
      return stage.items.map(({ column }) => column)
    case 'display':
      return stage.items.filter((item) => !isMade(item)).map(({ column }) => column)
    case 'dedup':
      return stage.columns
    case 'extract':
    case 'replace':
    case 'round':
      return [stage.column]
    case 'transpose':
      return stage.column === null ? [] : [stage.column]
    case 'join':
      return [stage.left]
    case 'where':
    case 'limit':
    case 'interval':
    case 'datastream':
    case 'percentileCut':
      return []
  }
}

function madeBy(stage: Stage): readonly ColumnRef[] {
  return stage.kind === 'display' ? stage.items.filter(isMade).map(({ column }) => column) : []
}

function isMade({ format }: DisplayItem): boolean {
  return format !== null && isAdding(format)
}
