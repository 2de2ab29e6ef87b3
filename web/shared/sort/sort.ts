// The order of the rows of a table, chosen by its heads. Pure.

/** What a cell counts as; null: it is empty, and stands last either way. */
export type Rank = number | string | Money | null
/** Of one currency by amount, and the currencies by name either way: no rate is known here. */
type Money = { readonly currency: string; readonly amount: number }

export type Sort = { readonly column: string; readonly isDown: boolean }

const TEXTS = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** What a click on a head makes: this way, then the other, then no choice. */
export function nextSort(now: Sort | undefined, column: string, isDown: boolean): Sort | undefined {
  if (now?.column !== column) return { column, isDown }
  return now.isDown === isDown ? { column, isDown: !isDown } : undefined
}

/** By the names of its columns. */
export type Ranks<Row> = Readonly<Record<string, (row: Row) => Rank>>

/** As they come where nothing, or no column of the table, is chosen. */
export function sortBy<Row>(
  rows: readonly Row[],
  ranks: Ranks<Row>,
  sort: Sort | undefined,
): readonly Row[] {
  // The column is of an address: it may be any word.
  const isKnown = sort !== undefined && Object.hasOwn(ranks, sort.column)
  const rankOf = isKnown ? ranks[sort.column] : undefined
  return rankOf === undefined ? rows : sortRows(rows, rankOf, sort?.isDown === true)
}

/** Equal ones keep their order. Numbers stand before texts, texts before money. */
export function sortRows<Row>(
  rows: readonly Row[],
  rankOf: (row: Row) => Rank,
  isDown: boolean,
): readonly Row[] {
  return rows
    .map((row) => ({ row, rank: rankOf(row) }))
    .sort((one, other) => compare(one.rank, other.rank, isDown ? -1 : 1))
    .map(({ row }) => row)
}

function compare(one: Rank, other: Rank, sign: 1 | -1): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  if (typeof one === 'number' && typeof other === 'number') return sign * (one - other)
  if (typeof one === 'string' && typeof other === 'string') return sign * TEXTS.compare(one, other)
  if (typeof one === 'object' && typeof other === 'object')
    return TEXTS.compare(one.currency, other.currency) || sign * (one.amount - other.amount)
  return sign * (kindOf(one) - kindOf(other))
}

const kindOf = (rank: number | string | Money) =>
  ['number', 'string', 'object'].indexOf(typeof rank)

/** In an address: `name`, `-name`; '' is no choice. */
export function readSort(text: string): Sort | undefined {
  const column = text.replace(/^-/, '')
  return column === '' ? undefined : { column, isDown: text.startsWith('-') }
}

export function writeSort(sort: Sort | undefined): string {
  return sort === undefined ? '' : `${sort.isDown ? '-' : ''}${sort.column}`
}
