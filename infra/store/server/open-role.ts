// The role `store`: the store process under its supervisor.
import { join } from 'node:path'
import { Failure } from '../../../schemas/failures.ts'
import { processEnvironment } from '../../config.ts'
import type { Config } from '../../config-schema.ts'
import { KnownPath } from '../../known-path.ts'
import type { Supervision } from '../../supervisor/messages.ts'
import type { RoleContext } from '../../supervisor/role-process.ts'
import { startStoreServer } from './start.ts'

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
