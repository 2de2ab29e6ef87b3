// `logeye reconcile` reads volumes of all logs, so it acts for administrators alone.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { configSchema } from '../../../infra/config-schema.ts'
import { askVolumes } from '../../../roles/ask-volumes.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { testClock } from '../../support/run/test-clock.ts'

let product: QueryDatabase
beforeAll(async () => {
  product = await openQueryDatabase()
  await product.addUser('ann', 'her own password')
})
afterAll(() => product.close())

it.each(['ann', 'nobody'])('refuses %s, and leaves no token', async (user) => {
  const { metastore, database } = product
  const config = configSchema.parse({})
  const asked = askVolumes({ metastore, config, clock: testClock, days: 1, user })
  await expect(asked).rejects.toMatchObject({
    code: 'start.refused',
    details: { reason: `${user} is no administrator that may sign in: name one with --user` },
  })
  expect(await database.read.selectFrom('api_tokens').selectAll().execute()).toEqual([])
})
