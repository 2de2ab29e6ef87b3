// What an SSH account is made of, and how it is tried.
import { readPrivateKey } from '../../../infra/outbound/private-key.ts'
import { trySsh } from '../../../infra/outbound/ssh.ts'
import { ACCOUNT_SETTINGS, type BookAccountSettings } from '../../../schemas/address-book.ts'
import { Failure } from '../../../schemas/failures.ts'
import type { SdkInput } from '../../../schemas/sdk/commands.ts'
import type { CommandTools } from '../server/serve-command.ts'
import { VERIFY_MS } from './limit.ts'
import type { AccountForm } from './save-account.ts'

type Settings = BookAccountSettings<'ssh'>

export function sshForm(
  input: SdkInput<'addSSHAccount'>,
  { nodeName }: Pick<CommandTools, 'nodeName'>,
): AccountForm<BookAccountSettings<'ssh'>> {
  return {
    kind: 'ssh',
    schema: ACCOUNT_SETTINGS.ssh,
    secrets: {
      userPassword: input.userPassword,
      privateKey: input.privateKeyFile,
      passphrase: input.passphrase,
    },
    settings: (before) => {
      const host = input.host ?? before?.host ?? ''
      const port = input.port ?? before?.port ?? 22
      const isSame = host === before?.host && port === before.port
      return {
        ...{ host, port, userName: input.userName ?? before?.userName ?? '' },
        // That of another machine is another one.
        hostKey: input.hostKey ?? (isSame ? before.hostKey : ''),
      }
    },
    isSamePlace: (before, after) =>
      (after.host === before.host && after.port === before.port) ||
      // Only the machine itself can show its host key.
      (before.hostKey !== '' && after.hostKey === before.hostKey),
    check: async (_, { privateKey, passphrase }) => {
      if (privateKey === undefined || privateKey === '') {
        if (passphrase !== undefined && passphrase !== '')
          throw refuse('passphrase', 'is of a private key: give -privateKeyFile')
        return
      }
      const read = await readPrivateKey(privateKey, passphrase === '' ? undefined : passphrase)
      if ('fault' in read) throw refuse('privateKeyFile', read.fault)
    },
    verify: async (settings, secrets) => {
      const { userPassword, privateKey, passphrase } = secrets
      const given = (text: string | undefined) => (text === '' ? undefined : text)
      const seen = await trySsh(
        {
          ...settings,
          password: given(userPassword),
          privateKey: given(privateKey),
          passphrase: given(passphrase),
        },
        AbortSignal.timeout(VERIFY_MS),
      )
      if ('failed' in seen) return seen
      const facts = [
        `${settings.userName} signed in at ${settings.host}:${settings.port} from the node ${nodeName}`,
        `host key ${seen.hostKey}`,
        seen.hasSftp ? 'files can be read by SFTP' : 'SFTP is refused: files cannot be read',
      ]
      if (settings.hostKey === '') facts.push(TRUSTED_NOW)
      return { facts, settings: { ...settings, hostKey: seen.hostKey } }
    },
    notes: notesOn,
  }
}

const TRUSTED_NOW =
  'the host key is trusted because it was met first: compare it with that of the machine (ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub); from now on another one is refused'

function notesOn({ hostKey }: Settings, secrets: readonly string[]): string[] {
  const notes: string[] = []
  if (hostKey === '')
    notes.push(
      'hostKey: not known, so nothing is read by it; the first that -verify true meets is kept',
    )
  if (!secrets.includes('userPassword') && !secrets.includes('privateKey'))
    notes.push('neither -userPassword nor -privateKeyFile is set: nobody can sign in with it')
  return notes
}

function refuse(argument: string, reason: string): Failure {
  return new Failure('sdk.argument', { argument, reason })
}
