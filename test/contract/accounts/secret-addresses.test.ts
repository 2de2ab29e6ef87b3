// A stored password goes to the address that it was given for, and to no other: else whoever may
// change accounts would have it sent to a machine of his own, and read it there.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  findBookAccount,
  openSecrets,
} from '../../../infra/metastore/address-book/book-accounts.ts'
import { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import { openSdkChannel, type SdkChannel } from '../../support/apps/sdk-channel.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { testClock } from '../../support/run/test-clock.ts'

const PASSWORD = 'pa55-wörd-which-nobody-may-read'
const SSH = { name: 'edge', host: 'edge.example', userName: 'logs' }

let product: QueryDatabase
let directory = ''
let sdk: SdkChannel
const keyFile = () => join(directory, 'secrets.key')

beforeEach(async () => {
  product = await openQueryDatabase()
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-addresses-'))
  sdk = openSdkChannel(product, { keyFile: keyFile() })
})
afterEach(async () => {
  await product.close()
  rmSync(directory, { recursive: true, force: true })
})

async function secretsOf(name: string) {
  const account = await findBookAccount(product.database.read, name)
  if (account === undefined) throw new Error(`there is no ${name}`)
  return openSecrets(account, new SecretKeys(keyFile(), testClock))
}

describe('stored passwords', () => {
  it('are not sent to another address than they were given for', async () => {
    const url = 'https://berlin.example/logeye'
    const accounts = [
      ['addSSHAccount', SSH, { host: 'thief.example' }],
      ['addSSHAccount', SSH, { port: '2222' }],
      [
        'addRemoteProductAccount',
        { name: 'edge', remoteURL: url, userName: 'u' },
        { remoteURL: 'https://thief.example/logeye' },
      ],
      [
        'addWindowsShareAccount',
        { name: 'edge', share: '\\\\a\\b', userName: 'u' },
        { share: '\\\\c\\b' },
      ],
    ] as const
    for (const [command, account, moved] of accounts) {
      expect(await sdk(command, { ...account, userPassword: PASSWORD })).toMatchObject({
        status: 200,
      })
      const change = { name: 'edge', update: 'true', ...moved }
      for (const verify of ['true', 'false'])
        expect(await sdk(command, { ...change, verify })).toMatchObject({
          ...{ status: 400, message: expect.stringContaining('-userPassword: is needed again') },
        })
      expect(await secretsOf('edge')).toEqual({ userPassword: PASSWORD })
      expect((await sdk(command, { ...change, userPassword: 'another' })).status).toBe(200)
      expect((await sdk('removeAccount', { name: 'edge' })).status).toBe(200)
    }
  })

  it('follow a machine whose host key is known', async () => {
    const hostKey = `SHA256:${'A'.repeat(43)}`
    await sdk('addSSHAccount', { ...SSH, userPassword: PASSWORD, hostKey })
    const moved = { name: 'edge', update: 'true', host: 'new.example' }
    expect((await sdk('addSSHAccount', moved)).status).toBe(400)
    expect((await sdk('addSSHAccount', { ...moved, hostKey })).status).toBe(200)
  })
})
