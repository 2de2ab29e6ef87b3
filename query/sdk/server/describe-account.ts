// What the commands for listener accounts answer.
import type { z } from 'zod'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { LEVEL_SEPARATOR } from '../../../schemas/names/log-path.ts'
import type { accountAnswer } from '../../../schemas/sdk/account.ts'

export function describeAccount(account: ListenerAccount): z.output<typeof accountAnswer> {
  return {
    name: account.name,
    version: account.version,
    enabled: account.isEnabled,
    parentFolder: account.parentFolder.join(LEVEL_SEPARATOR),
  }
}
