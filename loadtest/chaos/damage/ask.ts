// The public search as someone asks it who must be told of damage: each answer with its warnings.

import { parseAnswer } from '../../../test/support/clients/search-client.ts'
import type { Secrets } from '../../../test/support/product/product.ts'

const LIMIT_MS = 30_000

export type Asked = { readonly url: string; readonly secrets: Secrets }
/** `failure`: it gave no rows and says so. */
export type Answer = {
  readonly failure: string
  readonly warnings: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Header line first. */
export async function ask(asked: Asked, searchQuery: string): Promise<Answer> {
  const { text } = await call(asked, {
    searchQuery,
    resultFormat: 'csv',
    maxNumOfRecords: '100000',
  })
  const { state, message, rows } = parseAnswer(text)
  const warnings = [...text.matchAll(/<Warning code="([^"]+)"/g)].map(([, code = '']) => code)
  return { failure: state === 'OK' ? '' : message || text.slice(0, 200), warnings, rows }
}

/** The raw texts of events, as an export gives them: one a row. */
export async function askRaws(asked: Asked, query: string): Promise<Answer> {
  const { text, headers } = await call(asked, {
    searchQuery: `${query} | display only raw`,
    resultFormat: 'json',
  })
  const said = headers.get('x-logeye-warnings')
  const warnings = said === null ? [] : said.split(',')
  if (!headers.get('content-type')?.includes('ndjson'))
    return { failure: text.slice(0, 200), warnings, rows: [] }
  const lines = text.split('\n').filter((line) => line !== '')
  return { failure: '', warnings, rows: lines.map((line) => [rawIn(line)]) }
}

function rawIn(line: string): string {
  const row: unknown = JSON.parse(line)
  return typeof row === 'object' && row !== null && 'raw' in row ? String(row.raw) : ''
}

async function call({ url, secrets }: Asked, parameters: Readonly<Record<string, string>>) {
  const answer = await fetch(`${url}/logeye/view/api/widgetAPI.jsp`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ widgetId: 'searchAPI', fixedInterval: 'allData', autoLogin: 'true', username: 'admin' },
      ...parameters,
      password: secrets.password,
    }),
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  return { text: await answer.text(), headers: answer.headers }
}
