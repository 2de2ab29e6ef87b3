// What holds for every type of object: its document is its command's arguments, without secrets,
// and makes an equal object on an empty product.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { PATTERN_TOOLS } from '../../../ingest/patterns/samples/pattern-tools.ts'
import { nameSecret } from '../../../query/sdk/configuration/environment-names.ts'
import { OBJECT_KINDS } from '../../../query/sdk/objects/kinds.ts'
import type { DescribedObject, ObjectKind } from '../../../query/sdk/objects/object-kind.ts'
import { OBJECT_TYPES, type ObjectType } from '../../../schemas/object-types.ts'
import { listArguments, SDK_COMMANDS } from '../../../schemas/sdk/commands.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { OBJECT_SAMPLES, type ObjectSample } from '../../support/data/object-samples.ts'
import { openQueryDatabase } from '../../support/database/query-database.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

async function openProduct(before: ObjectSample['before'] = []) {
  const db = await openQueryDatabase()
  const store = makeFailingStore(() => [])
  const directory = mkdtempSync(join(tmpdir(), 'logeye-test-objects-'))
  const keyFile = join(directory, 'secrets.key')
  const app = openTestApp(db, store, { patterns: PATTERN_TOOLS, keyFile })
  open.push(async () => {
    await app.app.stop()
    await db.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const client = makeConfigurationClient(app.call, { name: 'admin', password: db.adminPassword })
  const run = async (command: string, given: Readonly<Record<string, string>>) => {
    const { success, errorMessage, response } = await client.do(command, given)
    expect([command, success, errorMessage]).toEqual([command, true, null])
    return response
  }
  for (const [command, given] of before) await run(command, given)
  const all = { folders: 'all', logs: 'all' } as const
  const read = (kind: ObjectKind, name: string): Promise<DescribedObject | undefined> =>
    db.database.snapshot(async (transaction) =>
      (await kind.readAll(transaction, all)).find((one) => one.name === name),
    )
  const list = async (type: ObjectType) =>
    SDK_COMMANDS.list.answer.parse(await run('list', { type }))
  const audited = async () =>
    await db.database.read.selectFrom('audit').select(['action', 'result']).orderBy('id').execute()
  return { client, run, read, list, audited }
}

/** Names that a copy can have, where any text will not do. */
const COPIES: Readonly<Partial<Record<ObjectType, string>>> = {
  folder: 'Copies',
  log: 'Web->copy',
  dashboard: 'Sales->Copy',
  permission: 'folder.Web',
}
describe.each(OBJECT_TYPES)('an object of the type %s', (type) => {
  const kind = OBJECT_KINDS[type]
  const entry = SDK_COMMANDS[kind.command]
  const samples = OBJECT_SAMPLES[type]

  it('is of the type by which it is listed, and has a sample', () => {
    expect(kind.type).toBe(type)
    expect(samples.length).toBeGreaterThan(0)
  })

  it.each(samples)('is its document, is copied, removed and imported: $given', async (sample) => {
    const { before, given, secrets = {}, notOfIt } = sample
    const made = { ...kind.make, ...given, ...secrets }
    const name = kind.nameOf(given)
    const one = await openProduct(before)
    await one.run(kind.command, made)
    const described = await one.read(kind, name)
    if (described === undefined) throw new Error(`there is no ${type} ${name}`)
    expect(described.arguments).toEqual(given)
    expect(described.origin).toBeUndefined()
    expect(await one.run('list', { type })).toMatchObject({
      objects: expect.arrayContaining([{ name, origin: 'operator' }]),
    })

    // Every argument of the command is in the document, a secret, or no part of the object.
    const published = listArguments(kind.command)
    const secret = published.filter(({ isSecret }) => isSecret).map((it) => it.name)
    expect(Object.keys(described.arguments).filter((it) => secret.includes(it))).toEqual([])
    const known = new Set([...Object.keys(given), ...secret, ...notOfIt])
    expect([...known].sort()).toEqual(published.map((it) => it.name).sort())
    // A sample may leave optional secrets out, and says so.
    for (const it of secret) expect([...Object.keys(secrets), ...notOfIt]).toContain(it)
    for (const it of Object.keys(secrets)) expect(described.secrets).toContain(it)

    // Its document makes an equal one elsewhere, and changes nothing when it is given again.
    expect(
      entry.input.safeParse({ ...kind.make, ...described.arguments, ...secrets }).success,
    ).toBe(true)
    const other = await openProduct(before)
    await other.run(kind.command, { ...kind.make, ...described.arguments, ...secrets })
    expect(await other.read(kind, name)).toEqual(described)
    await other.run(kind.command, {
      ...(kind.change ?? { update: 'true' }),
      ...described.arguments,
    })
    expect(await other.read(kind, name)).toEqual(described)
    await expectCopied(type, sample, one)
    await expectRemovedAndImported(type, sample, one)
    expectAudited(type, sample, await one.audited())
  })
})

type Product = Awaited<ReturnType<typeof openProduct>>

/** A password is given with the user, a secret address with its target: nobody can read them. */
function isCopyable(type: ObjectType, { given, secrets = {} }: ObjectSample): boolean {
  const needsSecret =
    (secrets.userPassword !== undefined && type === 'user') || secrets.targetURL !== undefined
  return !needsSecret && OBJECT_KINDS[type].rename(given, 'x') !== undefined
}

async function expectCopied(type: ObjectType, sample: ObjectSample, { client, read }: Product) {
  const kind = OBJECT_KINDS[type]
  const name = kind.nameOf(sample.given)
  const first = await read(kind, name)
  if (type === 'permission') await client.do('addFolder', { name: 'Web' })
  const newName = COPIES[type] ?? 'Copy of it'
  const { errorMessage } = await client.do('duplicate', { type, name, newName })
  const renamed = kind.rename(sample.given, newName)
  if (renamed === undefined) expect(errorMessage).toContain('cannot be duplicated')
  else if (!isCopyable(type, sample)) expect(errorMessage).toContain('which is not copied')
  else {
    expect(errorMessage).toBe(null)
    expect((await read(kind, kind.nameOf(renamed)))?.arguments).toEqual(renamed)
  }
  expect(await read(kind, name)).toEqual(first)
}

async function expectRemovedAndImported(
  type: ObjectType,
  { given, secrets = {} }: ObjectSample,
  { run, read }: Product,
) {
  const kind = OBJECT_KINDS[type]
  const name = kind.nameOf(given)
  const first = await read(kind, name)
  const file = String(await run('exportObject', { type, name }))
  if ('command' in kind.removal) await run(kind.removal.command, kind.removal.arguments(name))
  else await run('removeObject', { type, name })
  const left = await read(kind, name)
  expect(left?.origin ?? (left === undefined ? 'none' : 'operator')).not.toBe('operator')
  const environment: Record<string, string> = {}
  const taken = new Set<string>()
  for (const [argument, value] of Object.entries(secrets))
    environment[nameSecret([type, name, argument], taken)] = value
  await run('importObject', { file, environment: JSON.stringify(environment) })
  expect(await read(kind, name)).toEqual(first)
}

/** What a command makes by another one is an entry next to its own. */
function expectAudited(
  type: ObjectType,
  sample: ObjectSample,
  audited: Awaited<ReturnType<Product['audited']>>,
) {
  const kind = OBJECT_KINDS[type]
  const removed = 'command' in kind.removal ? kind.removal.command : 'removeObject'
  const entries = audited.map(({ action, result }) => `${action} ${result}`)
  const wanted = [
    `sdk.${kind.command} done`,
    `sdk.duplicate ${isCopyable(type, sample) ? 'done' : 'sdk.argument'}`,
    'sdk.exportObject done',
    `sdk.${removed} done`,
    `sdk.${kind.command} done`,
    'sdk.importObject done',
  ]
  let at = -1
  for (const entry of wanted) {
    at = entries.indexOf(entry, at + 1)
    expect([entry, at], entries.join()).not.toEqual([entry, -1])
  }
}

describe('all of them', () => {
  it('are one configuration, which makes an equal one elsewhere', async () => {
    const one = await openProduct()
    const other = await openProduct()
    const environment: Record<string, string> = {}
    const taken = new Set<string>()
    for (const type of OBJECT_TYPES)
      for (const { before = [], given, secrets = {} } of OBJECT_SAMPLES[type]) {
        const kind = OBJECT_KINDS[type]
        for (const [command, first] of before)
          if ((await one.client.do(command, first)).httpStatusCode >= 500) throw new Error(command)
        await one.run(kind.command, { ...kind.make, ...given, ...secrets })
        for (const [argument, value] of Object.entries(secrets))
          environment[nameSecret([type, kind.nameOf(given), argument], taken)] = value
      }
    const file = await one.run('exportAll', {})
    if (typeof file !== 'string') throw new Error('no file')
    // A short one may be part of any word.
    const long = Object.values(environment).filter((value) => value.length >= 8)
    for (const value of long) expect(file).not.toContain(value)
    for (const [, name = ''] of file.matchAll(/\$\{env:(\w+)\}/g))
      environment[name] ??= 'some secret'
    await other.run('apply', { file, environment: JSON.stringify(environment) })
    expect(await other.run('exportAll', {})).toBe(file)
    for (const product of [one, other])
      expect(await product.run('apply', { file, prune: 'true' })).toMatchObject({ objects: [] })
    // And away again, in the other order, to what a first start has.
    const nothing = OBJECT_TYPES.map((type) => `${type}: []\n`).join('')
    await other.run('apply', { file: nothing, prune: 'true' })
    for (const type of OBJECT_TYPES) {
      const { objects } = await other.list(type)
      const left = objects.filter(({ origin }) => origin === 'operator').map(({ name }) => name)
      expect([type, left]).toEqual([
        type,
        { user: ['admin'], setting: ['system.timeZone'] }[String(type)] ?? [],
      ])
    }
  })
})
