// The role `query`: searches, their results, the SDK channel and the pages, at the doors of its
// process.
import { readVersion } from '../infra/cli/version.ts'
import type { Config } from '../infra/config-schema.ts'
import { searchReserveBytes } from '../infra/disk-reserve.ts'
import { CHECKS_BESIDE_WORK } from '../infra/doctor/checks.ts'
import { runChecks } from '../infra/doctor/run-checks.ts'
import { readRunningProduct } from '../infra/doctor/running-product.ts'
import { makePathRules } from '../infra/files/path-rules.ts'
import { sealFactorsOfBefore } from '../infra/metastore/access/factor-secrets.ts'
import { MASK_KEY, openSharedKey } from '../infra/metastore/shared-key.ts'
import { keyFileOf } from '../infra/secrets/key-file-of.ts'
import { SecretKeys } from '../infra/secrets/secret-keys.ts'
import type { RoleContext } from '../infra/supervisor/role-process.ts'
import { makeMaskHash } from '../ingest/listener/masking/mask-hash.ts'
import { Masks } from '../ingest/listener/masking/mask-request.ts'
import { makeReplay } from '../ingest/listener/replay.ts'
import { makeTryMask } from '../ingest/mask/try-rules.ts'
import { PATTERN_TOOLS } from '../ingest/patterns/samples/pattern-tools.ts'
import { readArrived } from '../ingest/writer/arrived.ts'
import { makeQueryApp, type QueryApp } from '../query/app.ts'
import type { EnginesWithLog } from './event-log.ts'
import { openLifecycleTools } from './lifecycle-tools.ts'

export async function openQueryRole(
  { clock, logger, metrics, reports, askRestart, configFile }: RoleContext,
  config: Config,
  { store, metastore, eventLog }: EnginesWithLog,
): Promise<QueryApp> {
  const secretKeys = new SecretKeys(keyFileOf(config), clock)
  await sealFactorsOfBefore(metastore.database, { keys: secretKeys, clock, logger })
  const maskKey = await openSharedKey(metastore.database, MASK_KEY, clock)
  const hash = makeMaskHash(maskKey)
  const masks = new Masks(hash)
  return makeQueryApp({
    store,
    metastore,
    clock,
    logger,
    metrics,
    config,
    version: readVersion(),
    placeKey: await openSharedKey(metastore.database, 'places', clock),
    readArrived: () => readArrived(eventLog),
    replay: makeReplay({ eventLog, clock, limits: config.listener, metastore, masks }),
    patterns: PATTERN_TOOLS,
    tryMask: makeTryMask(hash),
    checkProduct: async () => {
      const product = readRunningProduct(await reports(true))
      const examination = { config, clock, metastore, product, mayNameLogs: false }
      return await runChecks(CHECKS_BESIDE_WORK, examination)
    },
    lifecycle: await openLifecycleTools(config, { clock, askRestart, reports }, metastore),
    secretKeys,
    pathRules: makePathRules(config, configFile),
    keptFreeBytes: searchReserveBytes(config),
  })
}
