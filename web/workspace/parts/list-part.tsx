import type { ComponentChildren } from 'preact'
import { address, changeParameters } from '../../shared/address.ts'
import { Button } from '../../shared/parts/button.tsx'
import { FailureBanner } from '../../shared/parts/failure-banner.tsx'
import { type Order, useSort } from '../../shared/sort/use-sort.ts'
import { Awaited } from '../../shared/waiting/awaited.tsx'
import type { Listed } from '../api/use-list.ts'
import { WORKSPACE } from '../texts.ts'
import './table.css'

const T = WORKSPACE.list

type ListPartProps<Row> = {
  readonly list: Listed<Row>
  /** In place of an empty list. */
  readonly empty: ComponentChildren
  /** What the find box looks into; absent: there is no such box. */
  readonly wordsOf?: (row: Row) => string
  /** Beside the find box: what of the list is shown. */
  readonly tools?: ComponentChildren
  /** The parameter of its order; a page with several lists has several. */
  readonly sortAs?: string
  /** `order`: by heads, of a list that is here as a whole. The API gives pages in one order, and
   *  ordered by themselves they would begin with what is not the first. */
  readonly children: (rows: readonly Row[], order: Order | undefined) => ComponentChildren
}

/** A list with its find box, its next page, and what went wrong. */
export function ListPart<Row>({
  list,
  empty,
  wordsOf,
  tools,
  sortAs,
  children,
}: ListPartProps<Row>) {
  const order = useSort(sortAs)
  const { rows, error, isBusy, hasMore, more, again } = list
  const find = wordsOf === undefined ? '' : (address.value.parameters.get('find') ?? '')
  const found = rows?.filter(
    (row) => find === '' || wordsOf?.(row).toLowerCase().includes(find.toLowerCase()),
  )
  return (
    <div class="part">
      {error !== undefined && <FailureBanner error={error} onAgain={again} />}
      <div class="list-tools">
        {tools}
        {wordsOf !== undefined && (rows?.length ?? 0) > 5 && (
          <input
            class="input list-find"
            type="search"
            placeholder={T.find}
            aria-label={T.find}
            value={find}
            onInput={(event) =>
              changeParameters({ find: event.currentTarget.value }, { isNew: false })
            }
          />
        )}
      </div>
      {found === undefined ? (
        isBusy && <Awaited lines={6} isTable />
      ) : rows?.length === 0 ? (
        empty
      ) : found.length === 0 ? (
        <NotFound hasMore={hasMore} />
      ) : (
        children(found, hasMore ? undefined : order)
      )}
      {hasMore && (
        <div class="row">
          <Button onClick={more} disabled={isBusy}>
            {T.more}
          </Button>
          <span class="soft">{T.shown(rows?.length ?? 0)}</span>
        </div>
      )}
    </div>
  )
}

function NotFound({ hasMore }: { readonly hasMore: boolean }) {
  return (
    <p class="row wrap">
      <span class="soft">{hasMore ? T.notAmongShown : T.notFound}</span>
      <Button onClick={() => changeParameters({ find: '' }, { isNew: false })}>{T.all}</Button>
    </p>
  )
}
