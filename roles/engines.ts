// The engines that roles work on: database and store, open in each process that has one of these
// roles.
import { join } from 'node:path'
import type { Config } from '../infra/config-schema.ts'
import { DATABASE_FILE } from '../infra/database/database-file.ts'
import { openDatabase } from '../infra/database/open.ts'
import { KnownPath } from '../infra/files/known-path.ts'
import { type OpenedMetastore, openMetastore } from '../infra/metastore/open.ts'
import { optional } from '../infra/optional.ts'
import { openStore } from '../infra/store/open.ts'
import type { Store } from '../infra/store/port.ts'
import type { Supervision } from '../infra/supervisor/messages.ts'
import type { RoleContext } from '../infra/supervisor/role-process.ts'
import { Failure } from '../schemas/failures.ts'

export type Engines = { readonly store: Store; readonly metastore: OpenedMetastore }

/** Fails with start.refused, database.unavailable. */
export async function openEngines(
  { clock, logger, lifecycle, parts }: RoleContext,
  config: Config,
  supervision: Supervision | undefined,
): Promise<Engines> {
  const { databaseUrl, dataDir } = config
  const database = await openDatabase({ url: databaseUrl?.reveal(), dataDir, clock })
  lifecycle.add('database', () => database.close(), 300)
  const metastore = await openMetastore({ database, clock, logger })
  lifecycle.add('metastore', () => metastore.close(), 300)
  const file = databaseUrl === undefined ? new KnownPath(join(dataDir, DATABASE_FILE)) : undefined
  parts.set('database', async () => {
    await metastore.refresh()
    return file?.check() ?? true
  })
  const embedded = supervision?.store
  const url = config.storeUrl?.reveal() ?? (embedded && `http://127.0.0.1:${embedded.port}`)
  if (url === undefined) {
    const reason = "this process needs LOGEYE_STORE_URL, or 'logeye start' around it"
    throw new Failure('start.refused', { reason })
  }
  const store = await openStore({
    url,
    isServer: config.storeUrl !== undefined,
    ...optional('clusterName', config.storeCluster),
    ...optional('password', embedded?.password),
  })
  lifecycle.add('store client', () => store.close(), 300)
  parts.set('store', async () => (await store.ping()) || 'does not answer')
  return { store, metastore }
}
