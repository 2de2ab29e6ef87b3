// A query's tree on few lines, for case files: every node in parentheses, nothing left out but
// positions.
import type * as Product from '../../../query/language/tree.ts'
import type * as Reference from '../reference/tree.ts'

type Check = Product.Check | Reference.Check
type ColumnRef = Product.ColumnRef | Reference.ColumnRef
type Filter = Product.Filter | Reference.Filter
type Format = Product.Format | Reference.Format
type Pattern = Product.Pattern | Reference.Pattern
type Query = Product.Query | Reference.Query
type Scope = Product.Scope | Reference.Scope
type Stage = Product.Stage | Reference.Stage
type Value = Product.Value | Reference.Value

/** Of the product, or of the reference: what is read alike prints alike. */
export function printTree(query: Query): string {
  const { source } = query
  const first =
    source.kind === 'transaction'
      ? `(transaction ${source.steps.map((step) => JSON.stringify([step.query, step.key, step.name])).join(' ')} ${source.limitMinutes} ${source.isUniqueKey})`
      : printFilter(source.filter)
  return [first, ...query.stages.map(printStage)].join('\n| ')
}

function printFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'everything':
      return '*'
    case 'word':
      return printPattern(filter.pattern)
    case 'phrase':
      return JSON.stringify(filter.text)
    case 'not':
      return `(not ${printFilter(filter.operand)})`
    case 'and':
    case 'or':
      return `(${filter.kind} ${filter.operands.map(printFilter).join(' ')})`
    case 'scoped':
      return `(in ${printScope(filter.scope)} ${printFilter(filter.operand)})`
    case 'test':
      return `(${printColumn(filter.column)} ${printCheck(filter.check)})`
  }
}

function printScope({ include, exclude }: Scope): string {
  const items = (list: Scope['include']) =>
    list.map((item) =>
      item.kind === 'scopeEverything' ? '*' : `${item.of}:${printPattern(item.name)}`,
    )
  return `[${[...items(include), ...items(exclude).map((item) => `-${item}`)].join(', ')}]`
}

/** Texts in single quotes, so that a plain star differs from a wildcard. */
function printPattern(pattern: Pattern): string {
  const parts = pattern.map((part) =>
    part.kind === 'text' ? `'${part.text}'` : part.kind === 'run' ? '*' : '?',
  )
  return parts.length === 0 ? "''" : parts.join('')
}

function printColumn({ name, origin }: ColumnRef): string {
  return origin === 'any' ? `<${name}>` : `<${origin}: ${name}>`
}

function printCheck(check: Check): string {
  const not = 'isNegated' in check && check.isNegated ? 'not ' : ''
  switch (check.kind) {
    case 'compare':
      return `${check.operator} ${printValue(check.value)}`
    case 'column':
      return `${check.operator} ${printColumn(check.column)}`
    case 'text':
      return `${not}${check.operator} ${printValue(check.value)}`
    case 'matches':
    case 'within':
      return `${not}${check.kind} ${printValue(check.value)}`
    case 'list':
      return `${not}in ${check.values.map(printValue).join(', ')}`
    case 'between':
      return `between ${printValue(check.low)} ${printValue(check.high)}`
    case 'exists':
      return `${not}exists`
    case 'subQuery':
      return `${not}in [${printTree(check.query).replaceAll('\n', ' ')}]`
  }
}

function printValue({ isQuoted, pattern }: Value): string {
  return `${isQuoted ? 'quoted ' : ''}${printPattern(pattern)}`
}

function printStage(stage: Stage): string {
  switch (stage.kind) {
    case 'functions':
      return stage.functions
        .map(({ name, percentile, column, condition, alias }) =>
          words(
            name,
            percentile,
            column && printColumn(column),
            condition && `if ${printFilter(condition)}`,
            printAlias(alias),
          ),
        )
        .join(', ')
    case 'groupBy':
      return `groupBy ${stage.keys
        .map(({ column, alias, format, missingText }) =>
          words(
            printColumn(column),
            printAlias(alias),
            printFormat(format),
            missingText === null ? null : `or ${JSON.stringify(missingText)}`,
          ),
        )
        .join(', ')}`
    case 'interval':
      return `interval ${stage.count} ${stage.unit}`
    case 'datastream':
      return stage.isReceived ? 'datastream received' : 'datastream'
    case 'percentileCut':
      return `percentileCut ${stage.percentile}`
    case 'list':
      return `list ${stage.items.map((item) => words(printColumn(item.column), printAlias(item.alias))).join(', ')}`
    case 'orderBy':
      return `orderBy ${stage.keys.map((key) => `${printColumn(key.column)} ${key.direction}`).join(', ')}`
    case 'where':
      return `where ${printFilter(stage.filter)}`
    case 'limit':
      return `limit ${stage.count} ${stage.offset}`
    case 'display':
      return `display${stage.isOnly ? ' only' : ''} ${stage.items.map((item) => words(printColumn(item.column), printAlias(item.alias), printFormat(item.format))).join(', ')}`
    case 'extract':
      return `extract ${JSON.stringify(stage.regexp)} ${printColumn(stage.column)}`
    case 'replace':
      return words(
        `replace ${JSON.stringify(stage.regexp)} ${JSON.stringify(stage.replacement)} ${printColumn(stage.column)}`,
        printAlias(stage.alias),
      )
    case 'round':
      return words(`round ${printColumn(stage.column)} ${stage.digits}`, printAlias(stage.alias))
    case 'dedup':
      return `dedup ${stage.columns.map(printColumn).join(', ')}`
    case 'transpose':
      return words('transpose', stage.column && printColumn(stage.column))
    case 'join':
      return `join [${printTree(stage.query).replaceAll('\n', ' ')}] ${printColumn(stage.left)} ${stage.right ? printColumn(stage.right) : ''}`.trim()
  }
}

function printAlias(alias: string | null): string | null {
  return alias === null ? null : `as <${alias}>`
}

function printFormat(format: Format | null): string | null {
  return format && words(format.type, 'format', JSON.stringify(format.arguments))
}

function words(...parts: readonly (string | number | null)[]): string {
  return parts.filter((part) => part !== null).join(' ')
}
