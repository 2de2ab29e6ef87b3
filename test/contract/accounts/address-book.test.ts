// Accounts of the address book: made, changed, removed, and their secrets nowhere to be read.

import { generateKeyPairSync } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  findBookAccount,
  openSecrets,
} from '../../../infra/metastore/address-book/book-accounts.ts'
import { raiseVersion } from '../../../infra/metastore/counters.ts'
import { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import { openSdkChannel, type SdkChannel } from '../../support/apps/sdk-channel.ts'
import { dialect } from '../../support/database/database-place.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { testClock } from '../../support/run/test-clock.ts'

const PASSWORD = 'pa55-wörd-which-nobody-may-read'
const SSH = { name: 'edge', host: 'edge.example', userName: 'logs' }
const S3 = {
  ...{ name: 'archive', type: 's3', bucket: 'logs.example', region: 'eu-central-1' },
  ...{ accessKey: 'AKIAEXAMPLE', secretKey: PASSWORD },
}

let product: QueryDatabase
let directory = ''
let keyFile = ''
let sdk: SdkChannel

beforeEach(async () => {
  product = await openQueryDatabase()
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-accounts-'))
  keyFile = join(directory, 'secrets.key')
  sdk = openSdkChannel(product, { keyFile })
})
afterEach(async () => {
  await product.close()
  rmSync(directory, { recursive: true, force: true })
})

async function secretsOf(name: string) {
  const account = await findBookAccount(product.database.read, name)
  if (account === undefined) throw new Error(`there is no ${name}`)
  return openSecrets(account, new SecretKeys(keyFile, testClock))
}

/** Everything that the database says of accounts and commands. */
async function readAll(): Promise<string> {
  const { read } = product.database
  const parts: unknown[] = []
  for (const table of ['book_accounts', 'audit', 'secret_keys', 'settings', 'shared_keys'])
    parts.push((await sql`select * from ${sql.table(table)}`.execute(read)).rows)
  return JSON.stringify(parts)
}

describe('an account of the address book', () => {
  it('is made, changed, disabled and removed', async () => {
    const added = await sdk('addSSHAccount', { ...SSH, userPassword: PASSWORD })
    expect(added).toMatchObject({
      status: 200,
      response: { name: 'edge', kind: 'SSH account', version: 1, enabled: true, hostKey: '' },
    })
    expect(added.response.secrets).toEqual(['userPassword'])
    expect(added.response.notes.join()).toContain('nothing is read by it')
    expect(await sdk('addSSHAccount', SSH)).toMatchObject({
      status: 409,
      message: 'the SSH account edge exists already, give -update true to change it',
    })
    const changed = await sdk('addSSHAccount', {
      ...{ name: 'EDGE', update: 'true', port: '2222', description: 'edge machine' },
      userPassword: PASSWORD,
    })
    expect(changed.response).toMatchObject({ version: 2, secrets: ['userPassword'] })
    expect(await findBookAccount(product.database.read, 'edge')).toMatchObject({
      description: 'edge machine',
      settings: { host: 'edge.example', port: 2222, userName: 'logs', hostKey: '' },
    })
    expect(await secretsOf('edge')).toEqual({ userPassword: PASSWORD })
    const disabled = await sdk('enableAccount', { name: 'edge', enabled: 'false' })
    expect(disabled.response).toEqual({
      ...{ name: 'edge', kind: 'SSH account', version: 3, enabled: false },
    })
    expect((await sdk('removeAccount', { name: 'edge' })).status).toBe(200)
    expect(await findBookAccount(product.database.read, 'edge')).toBeUndefined()
    expect((await sdk('removeAccount', { name: 'edge' })).status).toBe(404)
  })

  it('of each kind keeps what is given, and takes away what is given as empty', async () => {
    expect((await sdk('addExternalAccount', S3)).response.secrets).toEqual(['secretKey'])
    const share = { name: 'share', share: '\\\\files\\logs', userName: 'u', userPassword: PASSWORD }
    expect((await sdk('addWindowsShareAccount', share)).status).toBe(200)
    const remote = {
      ...{ name: 'berlin', remoteURL: 'https://berlin.example:30443/logeye/', userName: 'u' },
      userPassword: PASSWORD,
    }
    expect((await sdk('addRemoteProductAccount', remote)).status).toBe(200)
    for (const name of ['archive', 'share', 'berlin'])
      expect(Object.values(await secretsOf(name))).toEqual([PASSWORD])
    const { response } = await sdk('addWindowsShareAccount', {
      ...{ name: 'share', update: 'true', userPassword: '' },
    })
    expect(response.secrets).toEqual([])
    expect(await findBookAccount(product.database.read, 'berlin')).toMatchObject({
      settings: { remoteURL: 'https://berlin.example:30443/logeye' },
    })
  })

  it('has a name that no listener account has, and the other way round', async () => {
    expect(await sdk('addSSHAccount', { ...SSH, name: 'default' })).toMatchObject({
      status: 409,
      message:
        'the name Default is that of the listener account: accounts of all kinds have different names',
    })
    await sdk('addSSHAccount', SSH)
    expect(await sdk('addListener', { name: 'Edge' })).toMatchObject({
      status: 409,
      message:
        'the name edge is that of the SSH account: accounts of all kinds have different names',
    })
    expect(await sdk('addExternalAccount', { ...S3, name: 'edge' })).toMatchObject({ status: 409 })
    const other = { ...S3, name: 'edge', update: 'true' }
    expect(await sdk('addExternalAccount', other)).toMatchObject({ status: 404 })
  })

  it('is not removed while a log names it', async () => {
    await sdk('addSSHAccount', SSH)
    const log = { name: 'access', account: 'EDGE', filePaths: '/var/log/a.log' }
    expect((await sdk('addLog', log)).status).toBe(200)
    expect((await sdk('addLog', { name: 'b', account: 'nobody' })).status).toBe(404)
    expect(await sdk('removeAccount', { name: 'edge' })).toMatchObject({
      status: 409,
      message: 'the SSH account edge is in use: the log access',
    })
    await sdk('addLog', { name: 'access', update: 'true', account: '' })
    expect((await sdk('removeAccount', { name: 'edge' })).status).toBe(200)
  })

  it('refuses what cannot be, and says what of it', async () => {
    const refused = [
      ['addSSHAccount', { name: 'x', userName: 'u' }, '-host: is missing'],
      ['addSSHAccount', { ...SSH, host: 'a b' }, '-host: must be a host name or an IP address'],
      ['addSSHAccount', { ...SSH, host: 'h:22' }, '-host: must be'],
      ['addSSHAccount', { ...SSH, host: '1.2.3.400' }, '-host: must be'],
      ['addSSHAccount', { ...SSH, host: 'http://h/' }, '-host: must be'],
      ['addSSHAccount', { ...SSH, host: '-oProxyCommand=x' }, '-host: must be'],
      ['addSSHAccount', { ...SSH, port: '65536' }, '-port: must be from 1 to 65535'],
      ['addSSHAccount', { ...SSH, userName: '' }, '-userName: must not be empty'],
      ['addSSHAccount', { ...SSH, hostKey: 'abc' }, '-hostKey: must be a fingerprint'],
      ['addSSHAccount', { ...SSH, name: 'a\u0000b' }, '-name: must hold no control character'],
      [
        'addSSHAccount',
        { ...SSH, privateKeyFile: 'x'.repeat(70_000) },
        '-privateKeyFile: must have',
      ],
      ['addSSHAccount', { ...SSH, privateKeyFile: 'no key' }, '-privateKeyFile: is no private key'],
      ['addSSHAccount', { ...SSH, passphrase: 'x' }, '-passphrase: is of a private key'],
      ['addSSHAccount', { ...SSH, secret: 'x' }, '-secret: is not an argument of this command'],
      ['addExternalAccount', { ...S3, bucket: 'A_B' }, '-bucket: must be the name of an S3 bucket'],
      [
        'addExternalAccount',
        { ...S3, bucket: '../x' },
        '-bucket: must be the name of an S3 bucket',
      ],
      ['addExternalAccount', { ...S3, endpoint: 'file:///etc' }, '-endpoint: must begin with'],
      ['addExternalAccount', { ...S3, endpoint: 'https://u:p@h' }, '-endpoint: must hold no'],
      ['addExternalAccount', { ...S3, endpoint: 'https://h/x' }, '-endpoint: must have no path'],
      [
        'addExternalAccount',
        { ...S3, type: 'JMS' },
        'let a bridge send the messages to a listener',
      ],
      ['addExternalAccount', { ...S3, type: 'AWS' }, 'S3 is -type s3'],
      ['addExternalAccount', { ...S3, type: 'ssh' }, 'give it to addSSHAccount'],
      ['addExternalAccount', { ...S3, type: 'kafka forwarder' }, 'as -forwardTo'],
      ['addExternalAccount', { ...S3, type: 'snmp' }, 'traps are not sent'],
      ['addExternalAccount', { ...S3, type: 'x' }, '-type: must be s3'],
      ['addWindowsShareAccount', { name: 'w', share: '/mnt' }, '-share: must be a share such as'],
      ['addWindowsShareAccount', { name: 'w', share: '\\\\h\\s', mountPath: 'x' }, '-mountPath'],
      [
        'addRemoteProductAccount',
        { name: 'r', userName: 'u', userPassword: 'p', remoteURL: 'ftp://h/logeye' },
        '-remoteURL: must begin',
      ],
      [
        'addRemoteProductAccount',
        { name: 'r', userName: 'u', userPassword: 'p', remoteURL: 'https://h/' },
        '-remoteURL: must end in /logeye',
      ],
      [
        'addRemoteProductAccount',
        {
          name: 'r',
          userName: 'u',
          userPassword: 'p',
          remoteURL: 'https://h/logeye',
          certificateFile: 'x',
        },
        '-certificateFile: holds no certificate',
      ],
    ] as const
    for (const [command, given, message] of refused) {
      const { status, message: said } = await sdk(command, given)
      expect(said).toContain(message)
      expect(status).toBe(400)
    }
    const { read } = product.database
    expect(await read.selectFrom('book_accounts').select('id').execute()).toEqual([])
    expect(existsSync(keyFile)).toBe(false)
  })

  it('checks a private key with its passphrase at once, also one that is given later', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    })
    const added = await sdk('addSSHAccount', { ...SSH, privateKeyFile: privateKey })
    expect(added).toMatchObject({ status: 200, response: { secrets: ['privateKey'] } })
    expect(await secretsOf('edge')).toEqual({ privateKey })
    const { publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    })
    const wrong = { name: 'edge', update: 'true', privateKeyFile: publicKey }
    expect((await sdk('addSSHAccount', wrong)).message).toContain('-privateKeyFile: is')
    expect(await secretsOf('edge')).toEqual({ privateKey })
  })

  it('needs the right, and for who has another right it is not there', async () => {
    await product.addUser('viewer', 'viewer-password')
    const viewer = { name: 'viewer', password: 'viewer-password' }
    for (const [command, given] of [
      ['addSSHAccount', SSH],
      ['addExternalAccount', S3],
      ['enableAccount', { name: 'edge', enabled: 'false' }],
      ['removeAccount', { name: 'edge' }],
    ] as const)
      expect((await sdk(command, given, viewer)).status).toBe(403)
    await sdk('addSSHAccount', SSH)
    const policy = { id: 200, name: 'p', name_folded: 'p', display_name: '', description: '' }
    await product.database.write(async (transaction) => {
      const values = { ...policy, operations: '[]', is_fixed: 0 as const }
      await transaction.insertInto('policies').values(values).execute()
      const users = transaction.updateTable('users').set({ policy_id: policy.id })
      await users.where('name', '=', 'viewer').execute()
    })
    const allow = async (operations: readonly string[]) => {
      await product.database.write(async (transaction) => {
        const changed = { operations: JSON.stringify(operations) }
        await transaction.updateTable('policies').set(changed).where('id', '=', policy.id).execute()
        await raiseVersion(transaction, 'security')
      })
      await product.metastore.refresh()
    }
    await allow(['data.listeners'])
    expect((await sdk('removeAccount', { name: 'edge' }, viewer)).status).toBe(404)
    expect((await sdk('addSSHAccount', { ...SSH, name: 'b' }, viewer)).status).toBe(403)
    await allow(['data.accounts'])
    expect((await sdk('removeAccount', { name: 'Default' }, viewer)).status).toBe(404)
    expect((await sdk('enableAccount', { name: 'edge', enabled: 'false' }, viewer)).status).toBe(
      200,
    )
    expect((await sdk('removeAccount', { name: 'edge' }, viewer)).status).toBe(200)
  })
})

describe('the secrets of accounts', () => {
  it('are in no row, no audit entry, no answer and no file of the database', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    })
    const answers = [
      await sdk('addSSHAccount', { ...SSH, userPassword: PASSWORD, privateKeyFile: privateKey }),
      await sdk('addExternalAccount', S3),
      await sdk('addExternalAccount', { ...S3, name: 'archive2', bucket: 'NOT VALID' }),
      await sdk('addSSHAccount', { ...SSH, update: 'true', userPasword: PASSWORD }),
    ]
    const texts = [JSON.stringify(answers), await readAll()]
    const needles = [PASSWORD, privateKey.split('\n')[5] ?? '']
    expect(needles[1]?.length).toBeGreaterThan(60)
    for (const text of texts) for (const needle of needles) expect(text).not.toContain(needle)
    if (dialect === 'sqlite') {
      const files = await databaseFiles()
      expect(files.some((bytes) => bytes.includes('edge.example'))).toBe(true)
      for (const bytes of files)
        for (const needle of needles) expect(bytes.includes(needle)).toBe(false)
    }
    const kept = readFileSync(keyFile, 'utf8')
    expect(kept).not.toContain(PASSWORD)
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    expect(readdirSync(directory)).toEqual(['secrets.key'])
  })

  it('open only at the account and field that they were given for', async () => {
    await sdk('addSSHAccount', { ...SSH, userPassword: PASSWORD })
    await sdk('addSSHAccount', { ...SSH, name: 'other', userPassword: 'another' })
    await product.database.write(async (transaction) => {
      const row = await transaction
        .selectFrom('book_accounts')
        .select('secrets')
        .where('name', '=', 'edge')
        .executeTakeFirstOrThrow()
      await transaction
        .updateTable('book_accounts')
        .set({ secrets: row.secrets })
        .where('name', '=', 'other')
        .execute()
    })
    await expect(secretsOf('other')).rejects.toMatchObject({ code: 'secrets.damaged' })
    expect(await secretsOf('edge')).toEqual({ userPassword: PASSWORD })
  })

  it('say so when the key file is lost, belongs to another node or may be read by others', async () => {
    await sdk('addSSHAccount', { ...SSH, userPassword: PASSWORD })
    const kept = readFileSync(keyFile)
    rmSync(keyFile)
    const verify = { name: 'edge', update: 'true', verify: 'true' }
    const lost = await sdk('addSSHAccount', verify)
    expect(lost.status).toBe(503)
    expect(lost.message).toMatch(
      /are encrypted with the key [0-9a-f]{16}, which .*secrets\.key does not hold/,
    )
    expect((await sdk('addExternalAccount', S3)).status).toBe(503)
    expect(existsSync(keyFile)).toBe(false)
    // What needs no secret goes on.
    const described = { name: 'edge', update: 'true', description: 'at the edge' }
    expect((await sdk('addSSHAccount', described)).status).toBe(200)
    const strange = join(directory, 'strange.key')
    const database = await openQueryDatabase()
    await openSdkChannel(database, { keyFile: strange })('addExternalAccount', S3)
    await database.close()
    writeFileSync(keyFile, readFileSync(strange), { mode: 0o600 })
    expect((await sdk('addExternalAccount', S3)).message).toContain('does not hold')
    writeFileSync(keyFile, kept, { mode: 0o600 })
    chmodSync(keyFile, 0o644)
    expect((await sdk('addExternalAccount', S3)).message).toContain('others than its owner')
    chmodSync(keyFile, 0o600)
    expect((await sdk('addExternalAccount', S3)).status).toBe(200)
    const damaged = kept
      .toString()
      .replace(/(?<=^[0-9a-f]{16} )./m, (it) => (it === 'A' ? 'B' : 'A'))
    writeFileSync(keyFile, damaged, { mode: 0o600 })
    expect((await sdk('addExternalAccount', { ...S3, name: 'n' })).message).toContain('is damaged')
  })

  it('have one key, however many nodes begin at once with one file', async () => {
    const channels = Array.from({ length: 4 }, () => openSdkChannel(product, { keyFile }))
    const answers = await Promise.all(
      channels.map((channel, at) => channel('addExternalAccount', { ...S3, name: `store-${at}` })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (let at = 0; at < 4; at += 1)
      expect(await secretsOf(`store-${at}`)).toEqual({ secretKey: PASSWORD })
    expect(readdirSync(directory)).toEqual(['secrets.key'])
  })

  it('of two nodes with files of their own are refused at the second', async () => {
    const elsewhere = join(directory, 'elsewhere.key')
    await sdk('addExternalAccount', S3)
    const second = openSdkChannel(product, { keyFile: elsewhere })
    const refused = await second('addExternalAccount', { ...S3, name: 'b' })
    expect(refused).toMatchObject({
      status: 503,
      message: expect.stringContaining('elsewhere.key'),
    })
  })
})

async function databaseFiles(): Promise<readonly Buffer[]> {
  await sql`pragma wal_checkpoint`.execute(product.database.read).catch(() => undefined)
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(product.database.read)
  const file = rows[0]?.file ?? ''
  return [file, `${file}-wal`].filter(existsSync).map((path) => readFileSync(path))
}
