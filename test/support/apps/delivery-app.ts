// Query apps on one pipeline, as several query processes are on the same engines, and what tests of
// pages, files and exports ask of them.
import { setSetting } from '../../../infra/metastore/settings/setting-changes.ts'
import type { SettingName } from '../../../schemas/settings.ts'
import { readAnswer } from '../clients/product-client.ts'
import { type Fields, openTestApp } from './query-app.ts'
import type { SearchPipeline } from './search-pipeline.ts'

export const OTHER = { autoLogin: 'true', username: 'other', password: 'other password' }

export type DeliveryApp = ReturnType<typeof openDeliveryApp>

export function openDeliveryApp(
  pipeline: SearchPipeline,
  options: Parameters<typeof openTestApp>[2] = {},
  store = pipeline.engine.store,
) {
  const app = openTestApp(pipeline.db, store, options)
  const search = (fields: Fields, user?: Fields) =>
    app.search({ fixedInterval: 'allData', ...fields }, user)
  const ask = async (fields: Fields, user?: Fields) => {
    const answer = await search(fields, user)
    return readAnswer(answer.status, await answer.text(), fields.resultFormat === 'csv')
  }
  const file = async (url: string, user: Fields = app.asAdmin) => {
    const { pathname } = new URL(url)
    const fields = Object.entries(user).map(([name, value]): [string, string] => [name, `${value}`])
    return await app.call(`${pathname}?${new URLSearchParams(fields)}`)
  }
  return { ...app, search, ask, file }
}

/** Messages `<word> 0`, `<word> 1`, …, each with its number in the column n, in this order. */
export async function ingestNumbered(
  pipeline: SearchPipeline,
  word: string,
  count: number,
): Promise<void> {
  await pipeline.ingest(Array.from({ length: count }, (_, n) => ({ message: `${word} ${n}`, n })))
}

export async function withSetting<T>(
  { db: { database, metastore } }: SearchPipeline,
  name: SettingName,
  value: string,
  run: () => Promise<T>,
): Promise<T> {
  const before = String(metastore.setting(name))
  const set = async (text: string) => {
    await database.write((transaction) => setSetting(transaction, name, text))
    await metastore.refresh()
  }
  await set(value)
  try {
    return await run()
  } finally {
    await set(before)
  }
}
