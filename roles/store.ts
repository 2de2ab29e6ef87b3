// The role `store`: the embedded engine on its port.
import { join } from 'node:path'
import { processEnvironment } from '../infra/config.ts'
import type { Config } from '../infra/config-schema.ts'
import { KnownPath } from '../infra/files/known-path.ts'
import { startStoreServer } from '../infra/store/server/start.ts'
import type { Supervision } from '../infra/supervisor/messages.ts'
import type { RoleContext } from '../infra/supervisor/role-process.ts'
import { Failure } from '../schemas/failures.ts'

/** Fails with start.refused. */
export async function openStoreRole(
  { clock, logger, lifecycle, parts }: RoleContext,
  config: Config,
  supervision: Supervision | undefined,
): Promise<void> {
  if (supervision?.store === undefined)
    throw new Failure('start.refused', { reason: "the store process is started by 'logeye start'" })
  const server = await startStoreServer({
    ...supervision.store,
    ...config.store,
    dataDir: config.dataDir,
    threads: Number(processEnvironment().UV_THREADPOOL_SIZE ?? 4),
    logger,
    clock,
  })
  lifecycle.add('store', () => server.stop(), 1000)
  const directory = new KnownPath(join(config.dataDir, 'store'))
  parts.set('store', () => directory.check())
}
