// What the audit log says of a call of the SDK: never a secret, and no more than fits a call that
// was meant.
import type { SignedIn } from '../../../infra/access/signed-in.ts'
import type { AuditEntry } from '../../../infra/metastore/audit/port.ts'
import { hideAddressSecrets } from '../../../infra/secrets/hide-secrets.ts'
import {
  listArguments,
  type PublishedArgument,
  SDK_COMMANDS,
  type SdkCommandName,
} from '../../../schemas/sdk/commands.ts'
import { isSecretSetting, isSettingName } from '../../../schemas/settings.ts'

export type SdkCall = {
  readonly command: SdkCommandName
  readonly given: Readonly<Record<string, string>>
  readonly signedIn: SignedIn
}

const MAX_AUDITED_CHARACTERS = 1000
/** Of a value, before its secrets are hidden, which shortens it. */
const MAX_READ_CHARACTERS = 4 * MAX_AUDITED_CHARACTERS
/** Enough for slips of the finger. */
const MAX_UNKNOWN = 10
const MAX_UNKNOWN_CHARACTERS = 50

export function auditEntry({ command, given, signedIn }: SdkCall, result: string): AuditEntry {
  const published = new Map(listArguments(command).map((one) => [one.name, one]))
  const details: Record<string, string> = {}
  let unknown = 0
  for (const [name, value] of Object.entries(given)) {
    const argument = published.get(name)
    if (argument === undefined) {
      unknown += 1
      // It may be a secret with a slip of the finger in its name.
      if (unknown <= MAX_UNKNOWN) details[name.slice(0, MAX_UNKNOWN_CHARACTERS)] = '***'
    } else if (isHidden(argument)) details[name] = '***'
    else {
      const isOfSettings = command === 'settings' && name === 'set'
      const shown = hideAddressSecrets(showSetting(cut(value), isOfSettings))
      details[name] = shown.slice(0, MAX_AUDITED_CHARACTERS)
    }
  }
  if (unknown > MAX_UNKNOWN) details['other arguments'] = String(unknown - MAX_UNKNOWN)
  return {
    userId: signedIn.user.id,
    userName: signedIn.user.name,
    address: signedIn.address,
    action: `sdk.${command}`,
    target: details[SDK_COMMANDS[command].target] ?? '',
    result,
    details,
  }
}

/** Refused calls may bring a megabyte. What is cut within an address may end in its password: the @
 *  makes it one. */
function cut(value: string): string {
  return value.length > MAX_READ_CHARACTERS ? `${value.slice(0, MAX_READ_CHARACTERS)}@` : value
}

/** Of `<name>=<value>` no secret: what is refused is kept all the same. Where a setting should
 *  stand, what is none may be a secret with a slip of the finger in its name. */
function showSetting(value: string, isOfSettings: boolean): string {
  const name = /^\s*([a-z.]{1,60})\s*=/i.exec(value)?.[1]
  if (name !== undefined && isSettingName(name))
    return isSecretSetting(name) ? `${name}=***` : value
  if (!isOfSettings) return value
  return name === undefined ? '***' : `${name}=***`
}

/** The text of a file is lines of a log. */
function isHidden({ isSecret, isFile }: PublishedArgument): boolean {
  return isSecret === true || isFile === true
}
