// What a database account is made of, and how it is tried.
import { tryForeignDatabase } from '../../../infra/database/foreign/postgres-rows.ts'
import { RemoteFault } from '../../../infra/outbound/remote-fault.ts'
import { ACCOUNT_SETTINGS, type BookAccountSettings } from '../../../schemas/address-book.ts'
import type { SdkInput } from '../../../schemas/sdk/commands.ts'
import type { CommandTools } from '../server/serve-command.ts'
import { VERIFY_MS } from './limit.ts'
import { requireCertificate } from './require-certificate.ts'
import type { AccountForm } from './save-account.ts'

const DEFAULT_PORT = 5432

export function databaseForm(
  input: SdkInput<'addDatabaseAccount'>,
  { nodeName }: Pick<CommandTools, 'nodeName'>,
): AccountForm<BookAccountSettings<'database'>> {
  const { certificateFile } = input
  requireCertificate(certificateFile)
  return {
    kind: 'database',
    schema: ACCOUNT_SETTINGS.database,
    secrets: { userPassword: input.userPassword },
    settings: (before) => ({
      host: input.host ?? before?.host ?? '',
      port: input.port ?? before?.port ?? DEFAULT_PORT,
      database: input.database ?? before?.database ?? '',
      userName: input.userName ?? before?.userName ?? '',
      isTls: input.tls ?? before?.isTls ?? true,
      certificate: certificateFile ?? before?.certificate ?? '',
    }),
    isSamePlace: (before, after) =>
      after.host === before.host && after.port === before.port && (after.isTls || !before.isTls),
    verify: async (settings, { userPassword: password = '' }) => {
      try {
        const signal = AbortSignal.timeout(VERIFY_MS)
        const version = await tryForeignDatabase({ ...settings, password }, signal)
        const known = /^[\w. ()+~-]{1,60}$/.test(version) ? version : 'of an unknown version'
        return {
          facts: [
            `${settings.userName} signed in at ${settings.host}:${settings.port} from the node ${nodeName}`,
            `PostgreSQL ${known}`,
          ],
        }
      } catch (error) {
        if (error instanceof RemoteFault) return { failed: error.message }
        throw error
      }
    },
    notes: ({ isTls }) => (isTls ? [] : ['tls: without it anybody on the way can read the rows']),
  }
}
