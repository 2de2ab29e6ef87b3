// `logeye portal …`: what is done once on the machine of the portal.
import type { PortalAction } from '../infra/cli/parse-command.ts'
import { readVersion } from '../infra/cli/version.ts'
import { systemClock } from '../infra/clock.ts'
import type { Config } from '../infra/config-schema.ts'
import { makeLogger } from '../infra/logger.ts'
import { initPortal } from '../portal/accounts/init-portal.ts'
import { fillDemo } from '../portal/demo/fill-demo.ts'
import { backUpPortal } from '../portal/operation/back-up-portal.ts'
import { Failure } from '../schemas/failures.ts'
import { backupDirectory } from './backups.ts'
import { openConfiguredPortal, openPortalObjects, placeOfPortal } from './portal.ts'

/** Resolves with what to print. */
export async function runPortalCommand(
  { action, seed }: { readonly action: PortalAction; readonly seed: number },
  config: Config,
): Promise<string> {
  const clock = systemClock
  const database = await openConfiguredPortal(config, { clock })
  try {
    const { folder, publicUrl } = placeOfPortal(config)
    switch (action) {
      case 'init':
        return await initPortal(database, { clock, publicUrl })
      case 'backup': {
        if (config.portal.databaseUrl !== undefined)
          throw new Failure('backup.refused', {
            reason: 'the portal is on PostgreSQL: use pg_dump, and copy its objects and key file',
          })
        const objects = await openPortalObjects(config, clock)
        const directory = backupDirectory(config)
        const told = await backUpPortal({ folder, directory, objects, clock })
        return `the portal is kept in ${told.path}, with ${told.objects} attachments`
      }
      case 'demo': {
        const logger = makeLogger({ level: 'warn', process: 'portal demo', clock })
        const objects = await openPortalObjects(config, clock)
        const told = { clock, logger, folder, publicUrl, objects, version: readVersion(), seed }
        return await fillDemo(database, told)
      }
    }
  } finally {
    await database.close()
  }
}
