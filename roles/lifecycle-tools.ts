// What the commands of the SDK can do with the product as a whole.
import { refuseServers } from '../infra/backup/refuse-servers.ts'
import { readVersion } from '../infra/cli/version.ts'
import { readSupervision } from '../infra/config.ts'
import type { Config } from '../infra/config-schema.ts'
import { readRunningProduct } from '../infra/doctor/running-product.ts'
import { lookAtPortal } from '../infra/heartbeat/look-at-portal.ts'
import { makeLicenseWarning } from '../infra/metastore/license/license-warning.ts'
import { openServerKey } from '../infra/metastore/license/open-server-key.ts'
import type { OpenedMetastore } from '../infra/metastore/open.ts'
import { programFolder } from '../infra/patches/program-folder.ts'
import { readTrustedKey } from '../infra/signed-documents/trusted-key.ts'
import type { RoleContext } from '../infra/supervisor/role-process.ts'
import type { LifecycleTools } from '../query/sdk/server/lifecycle-tools.ts'
import { Failure } from '../schemas/failures.ts'
import { backupDirectory } from './backups.ts'

export async function openLifecycleTools(
  config: Config,
  { clock, askRestart, reports }: Pick<RoleContext, 'clock' | 'askRestart' | 'reports'>,
  metastore: OpenedMetastore,
): Promise<LifecycleTools> {
  const { database } = metastore
  const trusted = readTrustedKey(config.license.publicKey)
  const serverKey = await openServerKey(database, clock)
  const portal = () => lookAtPortal(metastore, clock)
  const others = async () => (await portal()).warnings.map(({ text }) => text)
  const warning = makeLicenseWarning({ database, clock, trusted, serverKey, others })
  return {
    backups: () => {
      refuseServers(config, (reason) => new Failure('backup.refused', { reason }))
      return { directory: backupDirectory(config) }
    },
    patches: () => ({
      ...{ dataDir: config.dataDir, publicKey: config.patch.publicKey, version: readVersion() },
      programFolder: programFolder(),
    }),
    fixedPorts: readSupervision()?.fixedPorts ?? { plain: true, tls: true },
    readProduct: async () => readRunningProduct(await reports(true)),
    nodeName: config.nodeName,
    askRestart,
    license: { trusted, serverKey, warning, portal },
  }
}
