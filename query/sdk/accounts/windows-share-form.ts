// What an account for a Windows share is made of, and how it is tried: by a look at where it is
// mounted.
import { opendir } from 'node:fs/promises'
import { ACCOUNT_SETTINGS, type BookAccountSettings } from '../../../schemas/address-book.ts'
import type { SdkInput } from '../../../schemas/sdk/commands.ts'
import type { CommandTools } from '../server/serve-command.ts'
import { VERIFY_MS } from './limit.ts'
import type { AccountForm } from './save-account.ts'

export function windowsShareForm(
  input: SdkInput<'addWindowsShareAccount'>,
  { nodeName, paths }: Pick<CommandTools, 'nodeName' | 'paths'>,
): AccountForm<BookAccountSettings<'windowsShare'>> {
  return {
    kind: 'windowsShare',
    schema: ACCOUNT_SETTINGS.windowsShare,
    secrets: { userPassword: input.userPassword },
    settings: (before) => ({
      share: input.share ?? before?.share ?? '',
      mountPath: input.mountPath ?? before?.mountPath ?? '',
      domain: input.domain ?? before?.domain ?? '',
      userName: input.userName ?? before?.userName ?? '',
    }),
    isSamePlace: (before, after) => after.share === before.share,
    requirePaths: ({ mountPath }) => {
      if (mountPath !== '') paths.requireReadable('mountPath', mountPath)
    },
    verify: async ({ mountPath }) => {
      if (mountPath === '')
        return {
          failed:
            'the product does not speak SMB: mount the share at its nodes and give -mountPath',
        }
      const failed = await tryDirectory(mountPath)
      if (failed !== undefined) return { failed }
      return {
        facts: [
          `${mountPath} can be read at the node ${nodeName}; whether it is the share, and its user and password, only the mount knows`,
        ],
      }
    },
    notes: ({ mountPath }) =>
      mountPath === '' ? ['mountPath: not set, so the share cannot be read'] : [],
  }
}

/** A share that hangs must not hang us. */
async function tryDirectory(path: string): Promise<string | undefined> {
  const late = AbortSignal.timeout(VERIFY_MS)
  const ended = new Promise<string>((resolve) => {
    late.addEventListener('abort', () => resolve(`${path} does not answer in time`), { once: true })
  })
  return await Promise.race([ended, readDirectory(path)])
}

async function readDirectory(path: string): Promise<string | undefined> {
  try {
    const directory = await opendir(path)
    await directory.read()
    await directory.close()
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT') return `there is no directory ${path} at this node`
    if (code === 'ENOTDIR') return `${path} is not a directory`
    return `${path} cannot be read by the user of the product`
  }
}
