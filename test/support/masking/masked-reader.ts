// A pipeline with an administrator and a user from whom a policy hides values.
import { openTestApp } from '../apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../apps/search-pipeline.ts'
import { makeConfigurationClient } from '../clients/configuration-client.ts'
import { makeJsonClient } from '../clients/json-client.ts'

const NAME = 'rita'
const PASSWORD = 'a good password'
const MASK_SEPARATOR = '@#@#'

export type MaskedReader = Awaited<ReturnType<typeof openMaskedReader>>

export async function openMaskedReader(
  masks: readonly string[],
  options: { readonly operations?: string } = {},
) {
  const pipeline: SearchPipeline = await openSearchPipeline()
  const { db, engine } = pipeline
  const app = openTestApp(db, engine.store, {
    readArrived: pipeline.readArrived,
    keyFile: pipeline.keyFile,
  })
  const admin = { name: 'admin', password: db.adminPassword }
  const reader = { name: NAME, password: PASSWORD }
  const sdk = (user: typeof admin) => makeConfigurationClient(app.call, user)
  await db.addUser(NAME, PASSWORD)
  await sdk(admin).do('securityPolicies', {
    ...{ action: 'add', policyName: 'masked', masks: masks.join(MASK_SEPARATOR), ...options },
  })
  await sdk(admin).do('securityUsers', { action: 'edit', userName: NAME, policy: 'masked' })
  const search = async (
    searchQuery: string,
    user = reader,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<string> => {
    const asked = { searchQuery, fixedInterval: 'allData', resultFormat: 'csv-plain', ...fields }
    const answer = await app.search(asked, {
      autoLogin: 'true',
      username: user.name,
      password: user.password,
    })
    return await answer.text()
  }
  return {
    ...{ pipeline, app, admin, reader, search, sdk },
    json: (user = reader) => makeJsonClient(app.call, user),
    /** How many events a filter finds. */
    count: async (filter: string, user = reader): Promise<number> => {
      const answer = await search(`${filter} | count`, user)
      const count = /^count\r?\n(\d+)/.exec(answer)?.[1]
      if (count === undefined) throw new Error(`${filter}: ${answer}`)
      return Number(count)
    },
    stop: async () => {
      await app.app.stop()
      await pipeline.stop()
    },
  }
}
