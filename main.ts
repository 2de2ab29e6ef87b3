#!/usr/bin/env node
// Logeye from top to bottom: command line -> configuration -> roles -> signal -> close in reverse.
// Modules are loaded where they are needed: a process pays for its own roles only, and nothing that
// is imported here imports a package, since loading one opens a hundred files at once
// (open-files.ts).
import { fileURLToPath } from 'node:url'
import { type Command, parseCommand, USAGE, UsageError } from './infra/cli/parse-command.ts'
import { readVersion } from './infra/cli/version.ts'
import { systemClock } from './infra/clock.ts'
import type { LoadedConfig } from './infra/config.ts'
import type { Config } from './infra/config-schema.ts'
import type { OpenedMetastore } from './infra/metastore/open.ts'
import { missingBinary } from './infra/missing-binary.ts'
import { optional } from './infra/optional.ts'
import type { Supervision } from './infra/supervisor/messages.ts'
import { requireOpenFiles } from './infra/supervisor/open-files.ts'
import { type ProcessKind, type Role, rolesOf } from './infra/supervisor/processes.ts'
import type { RoleContext } from './infra/supervisor/role-process.ts'
import { isFailure } from './schemas/failures.ts'

await run()

async function run(): Promise<void> {
  try {
    const command = parseCommand(process.argv.slice(2))
    if (command.kind === 'help') return print(USAGE)
    if (command.kind === 'version') return print(readVersion())
    requireOpenFiles()
    const { loadConfig, processEnvironment } = await import('./infra/config.ts')
    const environment = processEnvironment()
    await obey(command, loadConfig({ environment, ...optional('file', command.configFile) }))
  } catch (thrown) {
    const error = missingBinary(thrown) ?? thrown
    const isConfigError = error instanceof Error && error.name === 'ConfigError'
    const isExpected = isFailure(error) || error instanceof UsageError || isConfigError
    if (!isExpected) throw error
    process.stderr.write(`${isFailure(error) ? 'logeye: ' : ''}${error.message}\n`)
    process.exit(error instanceof UsageError ? 2 : 1)
  }
}

async function obey(command: Command, loaded: LoadedConfig): Promise<void> {
  const { config } = loaded
  switch (command.kind) {
    case 'help':
    case 'version':
      return
    case 'config': {
      const { printConfig } = await import('./infra/config.ts')
      return print(printConfig(loaded))
    }
    case 'certificate':
    case 'reset-password':
    case 'reset-token':
    case 'adopt-data':
    case 'doctor':
    case 'restore':
    case 'rekey-secrets':
    case 'adopt-event-log': {
      const { runOnMachine } = await import('./infra/cli/run-on-machine.ts')
      const { parseState } = await import('./ingest/writer/position-state.ts')
      const readIntentNumber = (metadata: string) => parseState(metadata)?.number
      return print(await runOnMachine(command, config, { clock: systemClock, readIntentNumber }))
    }
    case 'portal': {
      const { runPortalCommand } = await import('./roles/portal-commands.ts')
      return print(await runPortalCommand(command, config))
    }
    case 'apply-patch': {
      const { applyPatch } = await import('./infra/cli/apply-patch.ts')
      return print(applyPatch(config, command.file))
    }
    case 'verify-evidence': {
      const { verifyEvidenceFile } = await import('./infra/cli/verify-evidence.ts')
      const { text, isUnchanged } = verifyEvidenceFile(command)
      print(text)
      process.exitCode = isUnchanged ? 0 : 1
      return
    }
    case 'reconcile': {
      const { reconcile } = await import('./roles/reconcile.ts')
      return print(await reconcile(command, config))
    }
    case 'role':
      return await runProcess(command.process, config, command.configFile)
    case 'start': {
      const { startProduct } = await import('./infra/supervisor/start-product.ts')
      const mainFile = fileURLToPath(import.meta.url)
      const { configFile, isPatched } = command
      const own = { loaded, configFile, mainFile, version: readVersion(), isPatched }
      const startHere = () => startProduct(own)
      if (isPatched) process.exit(await startHere())
      const { launchProduct } = await import('./infra/patches/launch.ts')
      process.exit(await launchProduct(config, { words: process.argv.slice(2), startHere }))
    }
  }
}

async function runProcess(
  kind: ProcessKind,
  config: Config,
  configFile: string | undefined,
): Promise<void> {
  const { readSupervision } = await import('./infra/config.ts')
  const { addProcessMetrics } = await import('./infra/process-metrics.ts')
  const { runRoleProcess } = await import('./infra/supervisor/role-process.ts')
  const settled = readSupervision() ?? (kind === 'all' ? await settleAlone(config) : undefined)
  const roles = rolesOf(kind, config.roles)
  await runRoleProcess(
    {
      name: settled?.name ?? kind,
      level: config.log.level,
      supervision: kind === 'all' ? undefined : settled,
      configFile,
    },
    async (context) => {
      const { dataDir } = config
      addProcessMetrics(context.metrics, { version: readVersion(), dataDir, kind, roles })
      await openRoles({ context, config, kind, roles, settled })
    },
  )
}

/** What is opened last is closed first. */
async function openRoles(options: {
  readonly context: RoleContext
  readonly config: Config
  readonly kind: ProcessKind
  readonly roles: readonly Role[]
  /** By the supervisor, or by a process that is alone for itself. */
  readonly settled: Supervision | undefined
}): Promise<void> {
  const { context, config, kind, roles, settled } = options
  const openHealthDoor = async (metastore?: OpenedMetastore) => {
    if (settled?.hasHealthDoor !== true) return
    await (await import('./roles/health.ts')).openHealthRole(context, config, metastore)
  }
  if (kind === 'store' || (kind === 'all' && settled?.store !== undefined))
    await (await import('./roles/store.ts')).openStoreRole(context, config, settled)
  if (roles.includes('portal'))
    await (await import('./roles/portal.ts')).openPortalRole(context, config)
  if (kind === 'store' || kind === 'portal') return await openHealthDoor()
  const engines = await (await import('./roles/engines.ts')).openEngines(context, config, settled)
  const hasFront = kind !== 'work'
  const { openRoleEventLog } = await import('./roles/event-log.ts')
  const withLog = await openRoleEventLog(context, config, engines)
  if (roles.includes('scheduler'))
    await (await import('./roles/scheduler.ts')).openSchedulerRole(context, config, withLog)
  if (roles.includes('writer'))
    (await import('./roles/writer.ts')).openWriterRole(context, config, withLog)
  if (roles.includes('collector'))
    await (await import('./roles/collector.ts')).openCollectorRole(context, config, withLog)
  if (hasFront) await (await import('./roles/front.ts')).openFront(context, config, withLog, roles)
  await openHealthDoor(engines.metastore)
}

async function settleAlone(config: Config): Promise<Supervision> {
  const { standAlone } = await import('./infra/supervisor/stand-alone.ts')
  return await standAlone(config, systemClock)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
