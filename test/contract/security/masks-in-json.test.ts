// A policy hides the values of a name at every depth: in arrays, below the parsing level and in
// texts that hold JSON, whoever asks in whatever way.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { events as eventsCall } from '../../../query/search-json/calls/events.ts'
import { type MaskedReader, openMaskedReader } from '../../support/masking/masked-reader.ts'
import { testClock } from '../../support/run/test-clock.ts'

const MASKS = [
  'column pin',
  'column user.secret',
  'column ΑΣ',
  'column msg',
  'column hostname',
  'phone',
  'email',
]

let world: MaskedReader

/** Events that differ in the length of what is hidden alone; the message has no part of it. */
const LENGTHS = [1, 30].map((length) => ({
  message: `lengthy, call +49 ${'1'.repeat(7)}`,
  pin: '#'.repeat(length),
  items: [{ pin: 'z'.repeat(length) }],
}))

/** Each has the word `event` and the number `n`; `secrets` are shown to nobody with the masks. */
const EVENTS: readonly {
  readonly what: string
  readonly event: object | string | Uint8Array
  readonly secrets: readonly string[]
  readonly shown?: string
}[] = [
  {
    what: 'arrays',
    event: { items: [{ sku: 'skua', pin: 'xsecreta' }] },
    secrets: ['xsecreta'],
    shown: 'skua',
  },
  {
    what: 'objects below the parsing level',
    event: { k: { l: { m: { pin: 'xsecretb', deep: { pin: 'xsecretc' }, b: 'skub' } } } },
    secrets: ['xsecretb', 'xsecretc'],
    shown: 'skub',
  },
  {
    what: 'a text that holds JSON',
    event: { payload: JSON.stringify({ pin: 'xsecretd', sku: 'skud' }) },
    secrets: ['xsecretd'],
    shown: 'skud',
  },
  {
    what: 'JSON in JSON in an array',
    event: { list: [JSON.stringify({ t: JSON.stringify({ pin: 'xsecrete' }) })] },
    secrets: ['xsecrete'],
  },
  {
    what: 'a message that holds JSON',
    event: { message: `event got {"pin":"xsecretf"} skuf` },
    secrets: ['xsecretf'],
    shown: 'skuf',
  },
  {
    what: 'keys by escapes',
    event: '{"message":"event","n":5,"items":[{"p\\u0069n":"xsecretg"}]}',
    secrets: ['xsecretg'],
  },
  {
    what: 'paths of two names',
    event: { user: [{ secret: 'xsecreth', sku: 'skuh' }] },
    secrets: ['xsecreth'],
    shown: 'skuh',
  },
  {
    what: 'a value that is a part of another',
    event: { message: 'event 1234567 and 12', pin: '12', a: { pin: '1234567' } },
    secrets: ['34567'],
  },
  {
    what: 'values with escapes in JSON text',
    event: '{"message":"event","n":8,"items":["+49\\/30\\/7654321","andr\\u00e9@xsecreti.org"]}',
    secrets: ['7654321', 'xsecreti'],
  },
  {
    what: 'bytes that are no UTF-8',
    event: Buffer.from('{"message":"event","n":9,"mail":"xsecretj\xffn@example.org"}', 'latin1'),
    secrets: ['xsecretj'],
  },
  {
    what: 'letters that are folded in more than one way',
    event: { ας: 'xsecretk', 'a.ΑΣ': 'xsecretl' },
    secrets: ['xsecretk', 'xsecretl'],
  },
  {
    what: 'the text of an event without a message',
    event: { whole: 'event', items: [{ pin: 'xsecretn' }] },
    secrets: ['xsecretn'],
  },
  {
    what: 'the key of the message',
    event: '{"msg":"xsecreto event","n":12}',
    secrets: ['xsecreto'],
  },
]

beforeAll(async () => {
  world = await openMaskedReader(MASKS, { operations: 'system,data.monitors' })
  await world.pipeline.ingest(
    EVENTS.map(({ event }, n) =>
      typeof event === 'string' || event instanceof Uint8Array
        ? event
        : { ...('whole' in event ? {} : { message: 'event' }), n, ...event },
    ),
  )
})
afterAll(() => world?.stop())

const SECRETS = EVENTS.flatMap(({ secrets }) => secrets)

const WAYS: readonly (readonly [query: string, format: string])[] = [
  ['event', 'xml'],
  ['event', 'json'],
  ['event | display only message, raw', 'csv-plain'],
  ['event | order by n | limit 50 | list message, items, payload, list, user, k.l.m', 'csv-plain'],
  ['event | count | group by items', 'csv-plain'],
  ['event | count | group by k.l.m', 'csv-plain'],
  ['event | extract "(?<found>xsecret.*|event.*)" from message', 'xml'],
  ['event | list mail, ας, ΑΣ, host', 'csv-plain'],
]

describe('a hidden name', () => {
  it('shows no value in any way, and all to an administrator', async () => {
    const whole = await world.search('event', world.admin, { resultFormat: 'xml' })
    for (const secret of SECRETS) expect(whole).toContain(secret)
    for (const way of WAYS) {
      const [query, resultFormat] = way
      const text = await world.search(query, world.reader, { resultFormat })
      expect({ way, secrets: SECRETS.filter((secret) => text.includes(secret)) }).toEqual({
        way,
        secrets: [],
      })
      expect(text).toContain('***')
    }
  })

  it('leaves what is next to it', async () => {
    const text = await world.search('event', world.reader, { resultFormat: 'xml' })
    for (const { shown } of EVENTS) if (shown !== undefined) expect(text).toContain(shown)
  })

  it.each([
    (it: string) => `"${it}"`,
    (it: string) => `*${it.slice(1)}*`,
    (it: string) => `message contains "${it}"`,
    (it: string) => `items matches "${it}" or k.l.m matches "${it}"`,
    (it: string) => `payload contains "${it}" or list contains "${it}" or host contains "${it}"`,
  ])('is not found: %s', async (ask) => {
    const filter = SECRETS.map(ask).join(' or ')
    expect(await world.count(`(${filter})`)).toBe(0)
    expect(await world.count(`(${filter})`, world.admin)).toBeGreaterThan(0)
  })
})

describe('a name of almost a thousand characters', () => {
  it('is found by masked users, unless it holds what is hidden', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `${'n'.repeat(960)}${n}`)
    const hidden = `${'a'.repeat(950)}@example.org`
    const columns = Object.fromEntries([...names, hidden].map((name) => [name, 'long']))
    await world.pipeline.ingest([{ message: 'longish', ...columns }])
    for (const name of names.slice(-2)) {
      expect(await world.count(`"${name}" = long`)).toBe(1)
      expect(await world.search(`longish | list "${name}"`)).toBe(`${name}\nlong\n`)
    }
    expect(await world.count(`"${hidden}" = long`, world.admin)).toBe(1)
    expect(await world.search('longish', world.reader, { resultFormat: 'xml' })).not.toContain(
      hidden,
    )
  })
})

describe('a host', () => {
  it('is hidden where its key is', async () => {
    const split = { name: 'shops', splitColumns: 'service->hostname*' }
    const { success } = await world.sdk(world.admin).do('addListener', split)
    expect(success).toBe(true)
    await world.pipeline.db.metastore.refresh()
    const event = { message: 'hosted', hostname: 'xsecretp', service: 'shop' }
    await world.pipeline.ingest([event], { accountId: 2, hostName: '' })
    const asked = 'hosted | list host, message'
    expect(await world.search(asked, world.admin)).toContain('xsecretp')
    expect(await world.search(asked)).toBe('host,message\n***,hosted\n')
    expect(await world.count('host = xsecretp')).toBe(0)
  })
})

describe('a user from whom values are hidden', () => {
  it('has no right that leads around it', async () => {
    const { metastore } = world.pipeline.db
    await metastore.refresh()
    const user = await metastore.users.find(world.reader.name)
    const operations = [...(user?.operations ?? [])]
    expect(operations).toEqual(expect.arrayContaining(['data.monitors', 'system.settings']))
    for (const right of ['system', 'system.security', 'system.audit', 'system.alerts'])
      expect(operations).not.toContain(right)
    expect(await world.count('* in folder.System')).toBe(0)
  })
})

describe('the length of a hidden value', () => {
  it('is in no size, sum, volume or statistic', async () => {
    await world.pipeline.ingest(
      LENGTHS.map((event) => ({ ...event, productName: 'sized' })),
      { receivedMs: testClock.nowMs() - 3_600_000 },
    )
    const lines = async (query: string, user = world.reader) =>
      (await world.search(`lengthy | ${query}`, user)).trim().split('\n').slice(1)
    const [one, other] = await lines('display only size')
    expect(one).toBe(other)
    const [first, second] = await lines('display only size', world.admin)
    expect(first).not.toBe(second)
    expect(await lines('sum size')).toEqual([String(2 * Number(one))])
    expect(await world.count(`lengthy size = ${one}`)).toBe(2)
    expect(await world.count(`lengthy size > ${one}`)).toBe(0)
    const [flow] = await lines('datastream | group by log')
    expect(flow).toContain(String(2 * Number(one)))
    const { data } = await world.json().ask(eventsCall, { query: 'lengthy', interval: 'allData' })
    expect(data.map(({ size }) => size)).toEqual([Number(one), Number(one)])
    const detailed = { api: 'collectedDataInfo', detailsLevel: 'Detailed' }
    const asked = { ...detailed, timeFrame: 'last15Minutes' }
    const statistics = async (user: MaskedReader['reader']) =>
      await (await world.sdk(user).get('message/messageJsonApi.jsp', asked)).text()
    expect(await statistics(world.reader)).not.toMatch(/"dataSize":[1-9]/)
    expect(await statistics(world.admin)).toMatch(/"dataSize":[1-9]/)
    const dryRun = async (user: MaskedReader['reader']) =>
      await world.sdk(user).do('deleteData', { log: 'Events->Default', dryRun: 'true' })
    expect(await dryRun(world.admin)).toMatchObject({
      response: { events: expect.any(Number), bytes: expect.toSatisfy((it) => it > 0) },
    })
    expect(await dryRun(world.reader)).toMatchObject({ success: false })
    await world.sdk(world.admin).do('deleteData', { log: 'Events->sized' })
    const deleted = async (user: MaskedReader['reader']) =>
      (await world.sdk(user).do('listDeletions', {})).response
    expect(await deleted(world.admin)).toMatchObject({
      deletions: [{ events: 2, bytes: expect.toSatisfy((it) => it > 0) }],
    })
    expect(await deleted(world.reader)).toMatchObject({ deletions: [{ events: 2, bytes: 0 }] })
  })
})
