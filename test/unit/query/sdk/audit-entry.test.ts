import { expect, it } from 'vitest'
import { auditEntry } from '../../../../query/sdk/server/audit-entry.ts'
import type { SdkCommandName } from '../../../../schemas/sdk/commands.ts'
import { ANONYMOUS_USER } from '../../../../schemas/users.ts'

function detailsOf(
  given: Readonly<Record<string, string>>,
  command: SdkCommandName = 'securityUsers',
) {
  const signedIn = {
    ...{ user: ANONYMOUS_USER, address: '10.0.0.1' },
    by: { kind: 'nothing' },
  } as const
  return auditEntry({ command, given, signedIn }, 'done').details
}

it('tells the arguments of the command, secrets and what is unknown without their values', () => {
  const given = { action: 'add', userName: 'bob', userPassword: 'topsecret', userPasword: 'x' }
  const hidden = { userPassword: '***', userPasword: '***' }
  expect(detailsOf(given)).toEqual({ action: 'add', userName: 'bob', ...hidden })
})

it('stays small, whatever is sent', () => {
  const unknown = Array.from({ length: 50_000 }, (_, n) => [`${n} ${'x'.repeat(200)}`, 'secret'])
  const given = { ...Object.fromEntries(unknown), userName: 'u'.repeat(5000), action: 'add' }
  const details = detailsOf(given)
  expect(details).toMatchObject({ action: 'add', userName: 'u'.repeat(1000) })
  expect(JSON.stringify(details).length).toBeLessThan(2000)
  expect(Object.entries(details ?? {}).at(-1)).toEqual(['other arguments', '49990'])
})

it.each([
  ['system.timeZone=Europe/Berlin', 'system.timeZone=Europe/Berlin'],
  ['system.portalLicenseKey=secret', 'system.portalLicenseKey=***'],
  ['portalLicenseKey=secret', 'portalLicenseKey=***'],
  ['System.portallicensekey = secret', 'System.portallicensekey=***'],
  ['system.portalLicenseKey: secret=', '***'],
  ['secret', '***'],
])('tells a setting without what may be a secret: %s', (set, shown) => {
  expect(detailsOf({ set }, 'settings')).toEqual({ set: shown })
})

it('tells an address without user, password and query, though it was refused for them', () => {
  const given = { name: 'p', forwardTo: 'https://u:pw@h.example/in?token=secret' }
  const shown = { name: 'p', forwardTo: 'https://***@h.example/in?***' }
  expect(detailsOf(given, 'addCollectionPolicy')).toEqual(shown)
})

it('reads no more of a value than may be shown of it, and no password whose end is cut', () => {
  const forwardTo = `https://u:${'p'.repeat(1_000_000)}@h.example/in`
  expect(detailsOf({ forwardTo }, 'addCollectionPolicy')).toEqual({ forwardTo: 'https://***@' })
  const far = `${`https://${'p'.repeat(2000)}@h/ `.repeat(2)}secret`
  expect(detailsOf({ forwardTo: far }, 'addCollectionPolicy')?.forwardTo).not.toContain('secret')
})

it('tells no secret setting, whichever argument it was given to', () => {
  const get = 'system.portalLicenseKey=secret'
  expect(detailsOf({ get }, 'settings')).toEqual({ get: 'system.portalLicenseKey=***' })
  expect(detailsOf({ userName: get })).toEqual({ userName: 'system.portalLicenseKey=***' })
})
