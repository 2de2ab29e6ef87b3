import { TEXTS } from '../texts.ts'
import { nextSort, type Sort } from './sort.ts'
import './sort-head.css'

type SortHeadProps = {
  readonly column: string
  readonly text?: string
  /** The first click puts the greatest on top. */
  readonly isDownFirst?: boolean
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort | undefined) => void
  readonly class?: string | undefined
}

/** The head of a column whose click orders the table by it. */
export function SortHead({
  column,
  text = column,
  isDownFirst = false,
  sort,
  onSort,
  class: look,
}: SortHeadProps) {
  const isBy = sort?.column === column
  return (
    <th class={look} aria-sort={isBy ? (sort.isDown ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        class="sort-head"
        title={TEXTS.sortBy(text)}
        onClick={() => onSort(nextSort(sort, column, isDownFirst))}
      >
        {text}
        {isBy && (sort.isDown ? ' ↓' : ' ↑')}
      </button>
    </th>
  )
}
