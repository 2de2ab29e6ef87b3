// The commands that do something once and print what they did. The rest of the command line starts
// processes.
import type { Clock } from '../clock.ts'
import type { Config } from '../config-schema.ts'
import type { ReadIntentNumber } from './adopt-topic.ts'
import type { Command } from './parse-command.ts'

export type MachineCommand = Extract<
  Command,
  {
    kind:
      | 'certificate'
      | 'doctor'
      | 'restore'
      | 'reset-password'
      | 'reset-token'
      | 'adopt-data'
      | 'adopt-event-log'
      | 'rekey-secrets'
  }
>

/** Resolves with what to print. */
export async function runOnMachine(
  command: MachineCommand,
  config: Config,
  { clock, readIntentNumber }: { clock: Clock; readIntentNumber: ReadIntentNumber },
): Promise<string> {
  switch (command.kind) {
    case 'certificate': {
      const { writeCertificate } = await import('./certificate.ts')
      return writeCertificate(config.dataDir, command.hosts, clock)
    }
    case 'reset-password':
    case 'reset-token': {
      const { resetSecret } = await import('./with-database.ts')
      return await resetSecret(command.kind, command.name, config)
    }
    case 'doctor': {
      const { runDoctor } = await import('./doctor.ts')
      return await runDoctor(config, clock)
    }
    case 'restore': {
      const { restoreBackup } = await import('../backup/restore-backup.ts')
      return await restoreBackup(config, command, clock)
    }
    case 'rekey-secrets': {
      const { rekeySecrets } = await import('./rekey-secrets.ts')
      const { withDatabase } = await import('./with-database.ts')
      const { keyFileOf } = await import('../secrets/key-file-of.ts')
      const { isLossAccepted } = command
      const options = { keyFile: keyFileOf(config), clock, isLossAccepted }
      return await withDatabase(config, (it) => rekeySecrets(it, options))
    }
    case 'adopt-data': {
      const { adoptData } = await import('./adopt-data.ts')
      return await adoptData(config, { clock, readIntentNumber })
    }
    case 'adopt-event-log': {
      const { adoptConfiguredEventLog } = await import('./adopt-event-log.ts')
      const { withDatabase } = await import('./with-database.ts')
      const tools = { clock, readIntentNumber }
      return await withDatabase(config, (it) => adoptConfiguredEventLog(config, it, tools))
    }
  }
}
