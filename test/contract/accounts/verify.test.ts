// -verify true of accounts, against real servers: an sshd, an S3 storage, this product.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rekeySecrets } from '../../../infra/cli/rekey-secrets.ts'
import { findBookAccount } from '../../../infra/metastore/address-book/book-accounts.ts'
import { open, useServers } from '../../support/apps/http-server.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openSdkChannel, type SdkChannel } from '../../support/apps/sdk-channel.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { type S3Server, s3Missing, startS3Server } from '../../support/remote/s3-server.ts'
import {
  PASSPHRASE,
  type SshServer,
  sshMissing,
  startSshServer,
} from '../../support/remote/ssh-server.ts'
import { describeUnless } from '../../support/run/skip.ts'
import { testClock } from '../../support/run/test-clock.ts'

useServers()

let product: QueryDatabase
let directory = ''
let keyFile = ''
let sdk: SdkChannel

beforeEach(async () => {
  product = await openQueryDatabase()
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-verify-'))
  keyFile = join(directory, 'secrets.key')
  sdk = openSdkChannel(product, { keyFile, nodeName: 'here' })
})
afterEach(async () => {
  await product.close()
  rmSync(directory, { recursive: true, force: true })
})

const settingsOf = async (name: string) =>
  (await findBookAccount(product.database.read, name))?.settings

describeUnless(sshMissing(), 'an SSH account', () => {
  let server: SshServer
  beforeAll(async () => {
    server = await startSshServer()
  })
  afterAll(() => server.stop())

  const base = () => ({
    ...{ name: 'edge', host: '127.0.0.1', port: String(server.port), userName: server.userName },
  })

  it('signs in, says the host key and that it trusts it now, and keeps to it', async () => {
    const given = { ...base(), privateKeyFile: server.privateKey, verify: 'true' }
    const { status, message, response } = await sdk('addSSHAccount', given)
    expect({ status, message }).toEqual({ status: 200, message: '' })
    expect(response.hostKey).toBe(server.hostKey)
    expect(response.verified).toEqual([
      `${server.userName} signed in at 127.0.0.1:${server.port} from the node here`,
      `host key ${server.hostKey}`,
      'files can be read by SFTP',
      expect.stringContaining('trusted because it was met first'),
    ])
    expect(await settingsOf('edge')).toMatchObject({ hostKey: server.hostKey })
    const again = await sdk('addSSHAccount', { name: 'edge', update: 'true', verify: 'true' })
    expect(again.response.verified).toHaveLength(3)
    const other = await startSshServer()
    const moved = { name: 'edge', update: 'true', verify: 'true', port: String(other.port) }
    const pinned = await sdk('addSSHAccount', { ...moved, hostKey: server.hostKey })
    await other.stop()
    expect(pinned).toMatchObject({ status: 409 })
    expect(pinned.message).toContain(`shows the host key ${other.hostKey}, not ${server.hostKey}`)
    expect(await settingsOf('edge')).toMatchObject({ port: server.port })
  })

  it('signs in with a key that has a passphrase, which is checked at once', async () => {
    const given = { ...base(), privateKeyFile: server.lockedKey }
    expect((await sdk('addSSHAccount', given)).message).toBe(
      '-privateKeyFile: is encrypted: give -passphrase',
    )
    expect((await sdk('addSSHAccount', { ...given, passphrase: 'wrong' })).message).toBe(
      '-privateKeyFile: does not open with this passphrase',
    )
    const right = { ...given, passphrase: PASSPHRASE, hostKey: server.hostKey.split(' ')[1] ?? '' }
    const { status, response } = await sdk('addSSHAccount', { ...right, verify: 'true' })
    expect({ status, hostKey: response?.hostKey }).toEqual({ status: 200, hostKey: server.hostKey })
  })

  it('is not stored when the machine refuses it, is another, or is none', async () => {
    const refused = async (given: Record<string, string>) => {
      const { status, message } = await sdk('addSSHAccount', { ...given, verify: 'true' })
      expect(status).toBe(409)
      expect(await findBookAccount(product.database.read, 'edge')).toBeUndefined()
      return message
    }
    const because = (reason: string) => `the SSH account edge is not verified: ${reason}`
    expect(await refused({ ...base(), privateKeyFile: server.strangeKey })).toBe(
      because('the machine refuses this user with what is given'),
    )
    expect(await refused({ ...base(), userPassword: 'no' })).toBe(
      because('the machine refuses this user with what is given'),
    )
    expect(await refused({ ...base(), port: '1', userPassword: 'p' })).toBe(
      because('nothing listens there'),
    )
    expect(await refused({ ...base(), host: 'no-such-host.invalid', userPassword: 'p' })).toContain(
      'there is no host no-such-host.invalid',
    )
    for (const host of ['169.254.169.254', '0.0.0.0', '::ffff:169.254.169.254', 'fe80::1'])
      expect(await refused({ ...base(), host, userPassword: 'p' })).toContain(
        'does not connect to the address',
      )
    const noise = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400\r\n\r\n'))
    await new Promise<void>((resolve) => noise.listen(0, '127.0.0.1', resolve))
    const address = noise.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const said = await refused({ ...base(), port: String(port), userPassword: 'p' })
    noise.close()
    expect(said).toMatch(/does not speak SSH|cut off/)
  })

  it('goes on after its secrets have a new key, and names those that are lost', async () => {
    const given = { ...base(), privateKeyFile: server.privateKey }
    await sdk('addSSHAccount', given)
    const { database } = product
    const before = readFileSync(keyFile, 'utf8')
    const options = { keyFile, clock: testClock, isLossAccepted: false }
    expect(await rekeySecrets(database, options)).toContain('1 secret is encrypted')
    const again = { name: 'edge', update: 'true', verify: 'true' }
    expect((await sdk('addSSHAccount', again)).status).toBe(200)
    // A node that has the old file only.
    writeFileSync(keyFile, before)
    expect(await sdk('addSSHAccount', again)).toMatchObject({ status: 503 })
    await expect(rekeySecrets(database, options)).rejects.toMatchObject({
      code: 'secrets.key_missing',
    })
    expect(readFileSync(keyFile, 'utf8')).toBe(before)
    expect(await rekeySecrets(database, { ...options, isLossAccepted: true })).toContain(
      'Lost, to be given again: privateKey of edge',
    )
    const anew = { ...again, privateKeyFile: server.privateKey }
    expect((await sdk('addSSHAccount', anew)).status).toBe(200)
  })
})

describeUnless(s3Missing(), 'an S3 account', () => {
  let server: S3Server
  beforeAll(async () => {
    server = await startS3Server()
  })
  afterAll(() => server.stop())

  it('lists the bucket, or says why not', async () => {
    const { endpoint, bucket, accessKey, secretKey } = server
    const given = { name: 's', type: 's3', endpoint, bucket, accessKey, secretKey, verify: 'true' }
    const { message, response } = await sdk('addExternalAccount', given)
    expect(message).toBe('')
    expect(response.verified).toEqual([
      'the bucket logs.example was listed from the node here: it is empty',
    ])
    const refused = async (more: Record<string, string>) =>
      (await sdk('addExternalAccount', { ...given, name: 't', ...more })).message
    expect(await refused({ secretKey: 'wrong' })).toContain(
      'the secret key is not that of the access key',
    )
    expect(await refused({ accessKey: 'AKIAWRONG' })).toContain('does not know this access key')
    expect(await refused({ bucket: 'another' })).toContain('there is no such bucket')
    expect(await refused({ endpoint: 'http://127.0.0.1:1' })).toContain('nothing listens there')
    expect(await refused({ endpoint: endpoint.replace('http:', 'https:') })).toContain('TLS')
    expect(await refused({ endpoint: 'http://169.254.169.254' })).toContain('does not connect')
    expect(await findBookAccount(product.database.read, 't')).toBeUndefined()
  })
})

describe('a remote product account', () => {
  it('signs in at another system of this product', async () => {
    const store = { query: () => Promise.reject(new Error('not asked')) }
    // biome-ignore lint/suspicious/noExplicitAny: no call of this test reaches the store
    const { app } = openTestApp(product, store as any)
    const { port } = await open({
      fetch: (request: Request) => app.fetch(request, { address: '' }),
    })
    const given = {
      ...{ name: 'r', remoteURL: `http://127.0.0.1:${port}/logeye`, userName: 'admin' },
      ...{ userPassword: product.adminPassword, verify: 'true' },
    }
    const { message, response } = await sdk('addRemoteProductAccount', given)
    expect(message).toBe('')
    expect(response.verified).toEqual([
      `admin signed in at http://127.0.0.1:${port}/logeye from the node here`,
      'version 1.2.3',
    ])
    const wrong = await sdk('addRemoteProductAccount', { ...given, name: 'x', userPassword: 'no' })
    expect(wrong.message).toContain('the system refuses this user and password')
  })
})

describe('an account for a Windows share', () => {
  it('is verified by where it is mounted, or says that it cannot be', async () => {
    const given = { name: 'w', share: '\\\\files\\logs', verify: 'true' }
    expect((await sdk('addWindowsShareAccount', given)).message).toContain('does not speak SMB')
    const mounted = { ...given, mountPath: directory }
    const { status, response } = await sdk('addWindowsShareAccount', mounted)
    expect(status).toBe(200)
    expect(response.verified[0]).toContain(`${directory} can be read at the node here`)
    const gone = { ...given, name: 'g', mountPath: join(directory, 'none') }
    expect((await sdk('addWindowsShareAccount', gone)).message).toContain('there is no directory')
  })
})
