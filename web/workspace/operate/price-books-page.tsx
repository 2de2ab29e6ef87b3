import { useState } from 'preact/hooks'
import type { ImportedBook } from '../../../schemas/portal/pricing/imported-book.ts'
import { address } from '../../shared/address.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Empty } from '../../shared/parts/empty.tsx'
import { hasRole } from '../api/session.ts'
import { useList } from '../api/use-list.ts'
import { ListPart } from '../parts/list-part.tsx'
import { Page } from '../parts/page.tsx'
import { printDay, printTime } from '../parts/print.ts'
import { rankOfTime } from '../parts/ranks.ts'
import { Table } from '../parts/table.tsx'
import { itemOf, PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'
import { endOf } from './book-end.ts'
import { BookState } from './book-state.tsx'
import { PriceBookPage } from './price-book-page.tsx'
import { PublishDialog } from './publish-dialog.tsx'

const T = WORKSPACE.priceBooks

export function PriceBooksPage() {
  const id = itemOf(address.value.path)
  return id === undefined ? <BookList /> : <PriceBookPage key={id} id={id} />
}

function BookList() {
  const list = useList<ImportedBook>('/price-books')
  const [isPublishing, setPublishing] = useState(false)
  const publishButton = hasRole('operator') && (
    <Button look="main" onClick={() => setPublishing(true)}>
      {T.add}
    </Button>
  )
  return (
    <Page title={WORKSPACE.pages.priceBooks} intro={T.intro} acts={publishButton}>
      <ListPart
        list={list}
        wordsOf={({ name, version, effectiveFrom }) => `${name} ${version} ${effectiveFrom}`}
        empty={
          <Empty title={T.none}>
            <p class="soft">{T.noneText}</p>
            {publishButton}
          </Empty>
        }
      >
        {(rows, order) => (
          <Table
            label={WORKSPACE.pages.priceBooks}
            columns={[
              { name: T.version, by: ['version', ({ name, version }) => `${name} ${version}`] },
              { name: T.inForce },
              { name: T.from, by: ['from', ({ effectiveFrom }) => rankOfTime(effectiveFrom)] },
              { name: T.to, by: ['to', (book) => rankOfTime(endOf(book, rows) ?? null)] },
              { name: T.imported, by: ['imported', ({ createdAt }) => rankOfTime(createdAt)] },
            ]}
            rows={rows}
            order={order}
          >
            {(book) => (
              <tr key={book.id}>
                <td class="name">
                  <a href={`${PATHS.priceBooks}/${book.id}`}>
                    {book.name} {book.version}
                  </a>
                </td>
                <td>
                  <BookState book={book} />
                </td>
                <td class="time">{printDay(book.effectiveFrom)}</td>
                <td class="time">{printEnd(endOf(book, rows))}</td>
                <td class="time">{printTime(book.createdAt)}</td>
              </tr>
            )}
          </Table>
        )}
      </ListPart>
      {isPublishing && (
        <PublishDialog given="" onDone={list.again} onClose={() => setPublishing(false)} />
      )}
    </Page>
  )
}

function printEnd(day: string | undefined): string {
  return day === undefined ? T.noEnd : printDay(day)
}
