import { useState } from 'preact/hooks'
import type { ImportedBook } from '../../../schemas/portal/pricing/imported-book.ts'
import type { Price, PriceBook } from '../../../schemas/portal/pricing/price-book.ts'
import { go } from '../../shared/address.ts'
import { useAsked } from '../../shared/asked.ts'
import { nowMs } from '../../shared/clock.ts'
import { AskedPart } from '../../shared/parts/asked-part.tsx'
import { Button } from '../../shared/parts/button.tsx'
import { saveFile } from '../../shared/save-file.ts'
import { useSort } from '../../shared/sort/use-sort.ts'
import { ask } from '../api/ask.ts'
import { hasRole } from '../api/session.ts'
import { useList } from '../api/use-list.ts'
import { Page } from '../parts/page.tsx'
import { printDay, printTime } from '../parts/print.ts'
import { Table } from '../parts/table.tsx'
import { PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'
import { endOf } from './book-end.ts'
import { BookState } from './book-state.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { sayPrice } from './say-price.ts'

const T = WORKSPACE.priceBooks

type WithDocument = ImportedBook & { readonly document: PriceBook }

const textOf = (document: PriceBook) => JSON.stringify(document, null, 2)

/** One version with all that it sells. */
export function PriceBookPage({ id }: { readonly id: string }) {
  const path = `/price-books/${id}`
  const asked = useAsked(path, (signal) => ask<WithDocument>(path, { signal }))
  // Its end is the beginning of the next, which is among the newest.
  const { rows: all } = useList<ImportedBook>('/price-books')
  const [isPublishing, setPublishing] = useState(false)
  const book = asked.answer
  return (
    <Page
      title={book === undefined ? T.one : `${book.name} ${book.version}`}
      back={{ path: PATHS.priceBooks, name: WORKSPACE.pages.priceBooks }}
      {...(book === undefined ? {} : { mark: <BookState book={book} /> })}
      acts={
        book !== undefined && (
          <>
            <Button
              onClick={() => saveFile(`${book.name}-${book.version}.json`, textOf(book.document))}
            >
              {T.download}
            </Button>
            {hasRole('operator') && (
              <Button look="main" onClick={() => setPublishing(true)}>
                {T.next}
              </Button>
            )}
          </>
        )
      }
    >
      <AskedPart asked={asked}>
        {(told) => (
          <>
            <section class="card">
              <dl class="facts">
                <dt>{T.from}</dt>
                <dd>{printDay(told.effectiveFrom)}</dd>
                <dt>{T.to}</dt>
                <dd>{printEnd(endOf(told, all ?? []), told)}</dd>
                <dt>{T.imported}</dt>
                <dd>{printTime(told.createdAt)}</dd>
              </dl>
            </section>
            <Items book={told.document} />
            <Others book={told.document} />
          </>
        )}
      </AskedPart>
      {isPublishing && book !== undefined && (
        <PublishDialog
          given={textOf(book.document)}
          onDone={(made) => go(`${PATHS.priceBooks}/${made}`)}
          onClose={() => setPublishing(false)}
        />
      )}
    </Page>
  )
}

/** While the others are not known, one that is over has at least an end. */
function printEnd(day: string | undefined, { isInForce, effectiveFrom }: ImportedBook): string {
  if (day !== undefined) return printDay(day)
  return isInForce || Date.parse(effectiveFrom) > nowMs() ? T.noEnd : '–'
}

function Items({ book }: { readonly book: PriceBook }) {
  const order = useSort()
  return (
    <section class="part">
      <h2>{T.items}</h2>
      <Table
        label={T.items}
        columns={[
          { name: T.item, by: ['item', ({ name }) => name] },
          { name: T.unit, by: ['unit', ({ unit }) => unit.many] },
          { name: T.prices },
        ]}
        rows={book.items}
        order={order}
      >
        {({ sku, name, unit, prices }) => (
          <tr key={sku}>
            <td class="name">
              {name}
              <span class="sub">
                <code>{sku}</code>
              </span>
            </td>
            <td>{unit.many}</td>
            <td class="wide">
              {prices.map((price) => (
                <div key={JSON.stringify(price)}>{printPrice(price, unit.many)}</div>
              ))}
            </td>
          </tr>
        )}
      </Table>
    </section>
  )
}

function printPrice({ currency, region, channel, per, model }: Price, units: string): string {
  return [
    T.price(T.per[per], sayPrice(model, currency, units)),
    ...(region === null ? [] : [T.of(region)]),
    ...(channel === null ? [] : [T.through(channel)]),
  ].join(', ')
}

function Others({ book: { terms, promotions } }: { readonly book: PriceBook }) {
  return (
    <div class="grid-2">
      <section class="card">
        <h2>{T.terms}</h2>
        <dl class="facts">
          {terms.map(({ id, name, months, discountPercent }) => (
            <>
              <dt key={id}>{name}</dt>
              <dd>
                {[
                  ...(name === T.months(months) ? [] : [T.months(months)]),
                  discountPercent === '0' ? T.listPrice : T.off(discountPercent),
                ].join(', ')}
              </dd>
            </>
          ))}
        </dl>
      </section>
      <section class="card">
        <h2>{T.promotions}</h2>
        {promotions.length === 0 && <p class="soft">{T.noPromotions}</p>}
        <dl class="facts">
          {promotions.map(({ code, name, from, to }) => (
            <>
              <dt key={code}>
                <code>{code}</code>
              </dt>
              <dd>
                {name},{' '}
                {to === null ? T.since(printDay(from)) : `${printDay(from)} – ${printDay(to)}`}
              </dd>
            </>
          ))}
        </dl>
      </section>
    </div>
  )
}
