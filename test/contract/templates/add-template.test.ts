// What addTemplate refuses, and which names it takes.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { PATTERN_TOOLS } from '../../../ingest/patterns/samples/pattern-tools.ts'
import { openSdkChannel, type SdkChannel } from '../../support/apps/sdk-channel.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'

const PASSWORD = 'a good password'
const SHOP = { name: 'shop', logTypes: 'shop', patterns: '{text:Message}' }

let product: QueryDatabase
let sdk: SdkChannel

beforeAll(async () => {
  product = await openQueryDatabase()
  sdk = openSdkChannel(product, { patterns: PATTERN_TOOLS })
})
afterEach(async () => {
  for (const name of await names()) await sdk('removeObject', { type: 'template', name })
  expect(await names()).toEqual([])
})
afterAll(() => product.close())

async function refusal(...[command, given, user]: Parameters<SdkChannel>) {
  const { status, message } = await sdk(command, given, user)
  return [status, message]
}
const names = async () => {
  const { response } = await sdk('list', { type: 'template' })
  const { objects } = response as { objects: { name: string; origin: string }[] }
  return objects.filter(({ origin }) => origin === 'operator').map(({ name }) => name)
}

describe('addTemplate refuses', () => {
  it.each([
    ['{text:Message', '-patterns: at 1: '],
    ['{textt:Message}', '-patterns: at 1: '],
    ['{date:Day,yyyy-QQ}', '-patterns: at 1: '],
    ['{text:A}@#@#{number:', '-patterns: pattern 2, at 1: '],
    ['', '-patterns: '],
    ['@#@#', '-patterns: '],
    ['\u0000', '-patterns: '],
  ])('a bad pattern, and says where it is wrong: %j', async (patterns, said) => {
    const [status, message] = await refusal('addTemplate', { ...SHOP, patterns })
    expect([status, message]).toEqual([400, expect.stringContaining(said)])
    await sdk('addTemplate', SHOP)
    const change = { name: 'shop', update: 'true', patterns }
    expect(await refusal('addTemplate', change)).toEqual([400, message])
    expect(await names()).toEqual(['shop'])
    const kept = await sdk('exportObject', { type: 'template', name: 'shop' })
    expect(JSON.stringify(kept.response)).toContain('{text:Message}')
  })

  it('the change of a built-in one, and says how to take its place', async () => {
    const change = { name: 'APACHE access', update: 'true', description: 'mine' }
    const [status, message] = await refusal('addTemplate', change)
    expect(status).toBe(409)
    expect(message).toContain('is built in')
    expect(message).toContain('without -update true you make one of this name')
    const own = await sdk('addTemplate', { ...SHOP, name: 'apache ACCESS' })
    expect(own.response).toMatchObject({
      notes: ['stands in the place of the built-in template of this name'],
    })
    expect((await sdk('addTemplate', change)).status).toBe(200)
  })

  it('who lacks the right, and changes nothing', async () => {
    await sdk('securityPolicies', {
      ...{ action: 'add', policyName: 'all but listeners' },
      operations: 'system,data.logs,data.tasks,data.policies,search',
    })
    for (const [userName, policy] of [
      ['ann', 'view only'],
      ['bob', 'all but listeners'],
    ] as const) {
      const user = { name: userName, password: PASSWORD }
      await product.addUser(userName, PASSWORD)
      const edit = { action: 'edit', userName, policy }
      expect((await sdk('securityUsers', edit)).status).toBe(200)
      const refused = [403, 'this user may not do that']
      expect(await refusal('addTemplate', SHOP, user)).toEqual(refused)
      // A right that is missing is said before what else is wrong.
      expect(await refusal('addTemplate', { ...SHOP, patterns: '{' }, user)).toEqual(refused)
    }
    expect(await names()).toEqual([])
    const user = { name: 'ann', password: 'wrong' }
    expect((await refusal('addTemplate', SHOP, user))[0]).toBe(401)
  })

  it.each([
    [{ ...SHOP, logTypes: '' }, '-logTypes: '],
    [{ ...SHOP, logTypes: 'two words' }, '-logTypes: must be words'],
    [{ ...SHOP, logTypes: 'x'.repeat(65) }, '-logTypes: must be words'],
    [{ name: 'shop', patterns: '{text:M}' }, '-logTypes: is missing'],
    [{ name: 'shop', logTypes: 'shop' }, '-patterns: is missing'],
    [{ ...SHOP, enabled: 'maybe' }, '-enabled: '],
    [{ ...SHOP, logType: 'shop' }, '-logType'],
  ])('wrong arguments: %j', async (given, said) => {
    expect(await refusal('addTemplate', given)).toEqual([400, expect.stringContaining(said)])
    expect(await names()).toEqual([])
  })

  it('a second one of a name, by letter case alone another, and the change of none', async () => {
    await sdk('addTemplate', SHOP)
    const again = await refusal('addTemplate', { ...SHOP, name: 'SHOP' })
    expect(again).toEqual([409, expect.stringContaining('give -update true to change it')])
    const absent = { name: 'shopp', update: 'true', description: 'x' }
    expect((await refusal('addTemplate', absent))[0]).toBe(404)
  })

  it.each([
    ['no name', ''],
    ['spaces', '   '],
    ['a control character', 'a\u0007b'],
    ['a line end', 'a\nb'],
    ['NUL', 'a\u0000b'],
    ['an escape of a terminal', '\u001b[31mred'],
    ['10,000 characters', 'n'.repeat(10_000)],
    ['256 characters', 'n'.repeat(256)],
  ])('a name that is %s', async (_, name) => {
    const [status, message] = await refusal('addTemplate', { ...SHOP, name })
    expect([status, message]).toEqual([400, expect.stringContaining('-name: must ')])
    // Not repeated in full, and nothing of it that a terminal obeys.
    expect(String(message).length).toBeLessThan(300)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(message).not.toMatch(/[\u0000-\u001f]/)
    expect(await names()).toEqual([])
  })
})

/** They mean something in paths, lists or files elsewhere; a template's name is a text. */
describe('addTemplate takes', () => {
  it.each([
    'a->b',
    'a|b',
    'a@#@#b',
    '..',
    '../../etc/passwd',
    '🦉 é',
    "Robert'); DROP TABLE template_versions;--",
    '*',
    'n'.repeat(255),
  ])('the name %j as it is, for all that is done with it', async (name) => {
    expect((await sdk('addTemplate', { ...SHOP, name })).response).toMatchObject({ name })
    expect(await names()).toEqual([name])
    const change = { name, update: 'true', description: 'changed' }
    expect((await sdk('addTemplate', change)).response).toMatchObject({ name, patterns: 1 })
    const listener = { name: 'web', parentFolder: 'Web', template: name }
    expect((await sdk('addListener', listener)).message).toBe('')
    const used = await refusal('removeObject', { type: 'template', name })
    expect(used).toEqual([409, expect.stringContaining('web')])
    expect((await sdk('removeAccount', { name: 'web' })).message).toBe('')
    const { response } = await sdk('exportObject', { type: 'template', name })
    expect((await sdk('removeObject', { type: 'template', name })).message).toBe('')
    expect(await names()).toEqual([])
    const made = await sdk('importObject', { file: String(response) })
    expect(made.message).toBe('')
    expect(await names()).toEqual([name])
  })
})
