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
import { Table } from '../parts/table.tsx'
import { itemOf, PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'
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
  return (
    <Page
      title={WORKSPACE.pages.priceBooks}
      intro={T.intro}
      acts={
        hasRole('operator') && (
          <Button look="main" onClick={() => setPublishing(true)}>
            {T.add}
          </Button>
        )
      }
    >
      <ListPart
        list={list}
        wordsOf={({ name, version, effectiveFrom }) => `${name} ${version} ${effectiveFrom}`}
        empty={
          <Empty title={T.none}>
            <p class="soft">{T.noneText}</p>
          </Empty>
        }
      >
        {(rows) => (
          <Table
            label={WORKSPACE.pages.priceBooks}
            columns={[
              { name: T.version },
              { name: T.inForce },
              { name: T.from },
              { name: T.to },
              { name: T.imported },
            ]}
          >
            {rows.map((book) => (
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
                <td class="time">
                  {book.effectiveTo === null ? T.noEnd : printDay(book.effectiveTo)}
                </td>
                <td class="time">{printTime(book.createdAt)}</td>
              </tr>
            ))}
          </Table>
        )}
      </ListPart>
      {isPublishing && (
        <PublishDialog given="" onDone={list.again} onClose={() => setPublishing(false)} />
      )}
    </Page>
  )
}
