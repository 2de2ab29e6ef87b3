// What the commands of the SDK can do with the product as a whole.
import { refuseServers } from '../infra/backup/refuse-servers.ts'
import { readSupervision } from '../infra/config.ts'
import type { Config } from '../infra/config-schema.ts'
import type { Database } from '../infra/database/port.ts'
import { makeLicenseWarning } from '../infra/metastore/license/license-warning.ts'
import { openSharedKey } from '../infra/metastore/shared-key.ts'
import { printServerKey, SERVER_KEY } from '../infra/signed-documents/server-key.ts'
import { readTrustedKey } from '../infra/signed-documents/trusted-key.ts'
import type { RoleContext } from '../infra/supervisor/role-process.ts'
import type { LifecycleTools } from '../query/sdk/server/lifecycle-tools.ts'
import { Failure } from '../schemas/failures.ts'
import { backupDirectory } from './backups.ts'

export async function openLifecycleTools(
  config: Config,
  { clock, askRestart }: Pick<RoleContext, 'clock' | 'askRestart'>,
  database: Database,
): Promise<LifecycleTools> {
  const trusted = readTrustedKey(config.license.publicKey)
  const serverKey = printServerKey(await openSharedKey(database, SERVER_KEY, clock))
  const warning = makeLicenseWarning({ database, clock, trusted, serverKey })
  return {
    backups: () => {
      refuseServers(config, (reason) => new Failure('backup.refused', { reason }))
      return { directory: backupDirectory(config) }
    },
    fixedPorts: readSupervision()?.fixedPorts ?? { plain: true, tls: true },
    nodeName: config.nodeName,
    askRestart,
    license: { trusted, serverKey, warning },
  }
}
