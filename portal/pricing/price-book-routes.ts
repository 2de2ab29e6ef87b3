// Price books: imported by operators, never changed (decision 9.8).
import { MAX_FETCH_BODY_BYTES } from '../../infra/http/fetch-request.ts'
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { Failure } from '../../schemas/failures.ts'
import { printCanonical } from '../../schemas/portal/canonical-json.ts'
import { pageOf } from '../../schemas/portal/common.ts'
import {
  type ImportedBook,
  importedBook,
  importedBookWithDocument,
  priceBooksQuery,
} from '../../schemas/portal/pricing/imported-book.ts'
import { priceBookSchema } from '../../schemas/portal/pricing/price-book.ts'
import { newId } from '../access/ids.ts'
import type { PriceBookRow } from '../database/tables.ts'
import type { PortalDeps } from '../deps.ts'
import { InvalidRequest } from '../edge/invalid-request.ts'
import { readPriceBook } from './engine/book/read-price-book.ts'
import { dayOf, documentOf, findIdInForce } from './price-books.ts'

const TAG = 'pricing'
/** They show the prices of every channel. */
const READERS = { roles: ['sales', 'operator'], operator: true } as const

export function makePriceBookRoutes({
  database,
  clock,
  cursors,
  serve,
}: PortalDeps): ServedRoute[] {
  return [
    serve.write(
      {
        ...{ method: 'POST', path: '/price-books', tag: TAG, operationId: 'importPriceBook' },
        summary: 'Import a version of a price book',
        description:
          'It never changes: the same version with another content is refused, and with the same content answered with what is there.',
        allows: { roles: ['operator'], operator: true },
        body: priceBookSchema,
        maxBodyBytes: MAX_FETCH_BODY_BYTES,
        answers: {
          201: { description: 'It is there.', schema: importedBook },
          200: { description: 'It was there.', schema: importedBook },
        },
      },
      async ({ body, nowMs }) => {
        const read = readPriceBook(body)
        if (read.kind === 'refused') {
          const faults = read.problems.map(({ path, message }) => ({ pointer: path, message }))
          throw new InvalidRequest(faults, 'portal.price_book_refused')
        }
        const { id: name, version, effectiveFrom, effectiveTo } = read.book
        const row: PriceBookRow = {
          ...{ id: newId('pbk', clock), name, version },
          ...{ document: printCanonical(read.book), created_ms: nowMs },
          ...{ from_day: effectiveFrom, to_day: effectiveTo },
        }
        const today = dayOf(nowMs)
        return async (transaction) => {
          const named = transaction.selectFrom('price_books').selectAll().where('name', '=', name)
          const there = await named.where('version', '=', version).executeTakeFirst()
          if (there === undefined) {
            await transaction.insertInto('price_books').values(row).execute()
            const inForce = await findIdInForce(transaction, today)
            return { status: 201, body: tell(row, row.id === inForce), target: row.id }
          }
          if (printCanonical(documentOf(there)) !== row.document)
            throw new Failure('portal.price_book_fixed', { name, version })
          const inForce = await findIdInForce(transaction, today)
          return { body: tell(there, there.id === inForce), target: there.id }
        }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: '/price-books', tag: TAG, operationId: 'listPriceBooks' },
        summary: 'Price books, the last imported first',
        allows: READERS,
        query: priceBooksQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(importedBook) } },
      },
      async ({ query, list, nowMs }) => {
        const { cursor, limit } = query
        const before = cursor === undefined ? undefined : cursors.read(cursor, list)
        let rows = database.read.selectFrom('price_books').selectAll().orderBy('id', 'desc')
        if (before !== undefined) rows = rows.where('id', '<', before)
        const found = await rows.limit(limit + 1).execute()
        const inForce = await findIdInForce(database.read, dayOf(nowMs))
        const page = { limit, list, keyOf: ({ id }: PriceBookRow) => id }
        return { body: cursors.page(found, { ...page, tell: (it) => tell(it, it.id === inForce) }) }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: '/price-books/{priceBookId}', tag: TAG },
        operationId: 'readPriceBook',
        summary: 'A price book with its document',
        allows: READERS,
        answers: { 200: { description: 'As it came.', schema: importedBookWithDocument } },
      },
      async ({ path, nowMs }) => {
        const all = database.read.selectFrom('price_books').selectAll()
        const row = await all.where('id', '=', path('priceBookId')).executeTakeFirst()
        if (row === undefined) throw new Failure('portal.not_found', { what: 'price book' })
        const inForce = await findIdInForce(database.read, dayOf(nowMs))
        return { body: { ...tell(row, row.id === inForce), document: documentOf(row) } }
      },
    ),
  ]
}

function tell(row: PriceBookRow, isInForce: boolean): ImportedBook {
  const { id, name, version, from_day, to_day, created_ms } = row
  const createdAt = new Date(created_ms).toISOString()
  return {
    ...{ id, name, version, isInForce, createdAt },
    ...{ effectiveFrom: from_day, effectiveTo: to_day },
  }
}
