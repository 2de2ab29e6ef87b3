// Names that a customer chooses stand in sentences, lists and mails of others: none of them changes
// what is read beside it.
import { beforeAll, expect, it } from 'vitest'
import { makeTestPortal, type TestPortal } from '../../../support/portal/portal-place.ts'
import { makeWorld, PASSWORD, type World } from '../../../support/portal/world.ts'
import { makeDocument, makeItem } from '../../../support/pricing/small-book.ts'

const FAR = '2035-01-01T00:00:00Z'
const PLAN = { name: 'P', volumeBytesPerDay: 1 }
let portal: TestPortal
let world: World

beforeAll(async () => {
  portal = await makeTestPortal()
  world = await makeWorld(portal)
  const body = makeDocument([makeItem('logs', [{ model: { kind: 'per_unit', unitPrice: '1' } }])])
  await must({ path: '/price-books', as: portal.operator, body })
})

async function must(asked: Parameters<TestPortal['ask']>[0]) {
  const answer = await portal.ask(asked)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer
}

/** Turns around what stands behind it, or begins a line. */
const HOSTILE = [
  ...['Bank \u202edrawer', 'a \u2067b', 'a\nb', 'a\u2028b', 'a\u0007b', 'a\ud800'],
  ...['\u200b', 'pay\u00adroll', 'pay\u2060roll'],
  // Letters and signs that show nothing.
  ...['\u3164', '\u2800', 'pay\u115froll', 'pay\uffa0roll', 'pay\u{e0041}roll', 'pay\ufff9roll'],
]
const UNSEEN = '\u200d\u200f'

it('a name is one line, and changes no text that stands beside it', async () => {
  const as = world.sessions.admin
  const operator = { as: portal.operator, headers: { 'x-organization-id': world.direct } }
  const person = { email: 'n@names.test', role: 'customer_viewer', password: PASSWORD }
  const url = 'https://hooks.example.com/n'
  const content = { lines: [{ item: 'logs', quantity: '1' }] }
  for (const name of HOSTILE)
    for (const asked of [
      { path: '/people', as, body: { ...person, name } },
      { path: '/api-keys', as, body: { name, scopes: ['usage:read'] } },
      { path: '/webhooks', as, body: { url, events: ['offer.sent'], description: name } },
      { path: '/organizations', ...operator, body: { name } },
      { path: '/operator-tokens', ...operator, body: { name } },
      {
        path: '/offers',
        ...operator,
        body: { title: name, content, validUntil: FAR, plan: PLAN },
      },
      { path: '/credits/grants', ...operator, body: { amount: '1', source: name } },
    ]) {
      const { status, body } = await portal.ask({ method: 'POST', ...asked })
      expect([asked.path, name, status]).toEqual([asked.path, name, 400])
      expect(body.errors[0].message).toBe('must be one line, of characters that are seen')
    }
  const unseen = { name: UNSEEN, scopes: ['usage:read'] }
  const { status, body } = await portal.ask({ method: 'POST', path: '/api-keys', as, body: unseen })
  expect([status, body.errors[0].message]).toEqual([400, 'must hold a character that is seen'])
  // People write so.
  const names = ['\u05e9\u05dc\u05d5\u05dd\u200f (1)', 'می\u200cخواهم', 'Ana 👩\u200d🚀']
  for (const name of names)
    await must({ path: '/api-keys', as, body: { name, scopes: ['usage:read'] } })
})

it('the name of a deployment is shown without such characters, and its report is taken', async () => {
  const license = { organizationId: world.direct, name: 'N', plan: PLAN, validTo: FAR }
  const made = await must({ path: '/licenses', as: portal.operator, body: license })
  const report = { fingerprint: 'attack-000002', name: 'Bank \u202edrawer', version: '\u2067' }
  const body = { ...report, layout: 'X8', nodes: [{ name: 'a\u2066', role: 'b', version: '1' }] }
  const told = await must({ path: '/deployments/heartbeat', as: made.body.licenseKey, body })
  const path = `/deployments/${told.body.deploymentId}`
  const read = await must({ path, as: world.sessions.viewer })
  expect(read.body).toMatchObject({
    ...{ name: 'Bank \ufffddrawer', version: '\ufffd' },
    nodes: [{ name: 'a\ufffd' }],
  })
})

it('an address is written in one way, so that two people never have one mailbox', async () => {
  const as = world.sessions.admin
  const person = { name: 'N', role: 'customer_viewer', password: PASSWORD }
  const others = [
    ...['\uff41da@names.test', 'ada@names\u3002test', 'ada@names\uff0etest', 'ada@\u210bames.test'],
    ...[
      'ada\u200d@names.test',
      'ada@na\u200cmes.test',
      'a\u200eda@names.test',
      'ada\ufe0f@names.test',
    ],
    ...['ada@names.te\u017ft', '\u3164@names.test'],
  ]
  for (const email of others) {
    const { status, body } = await portal.ask({ path: '/people', as, body: { ...person, email } })
    expect([email, status, body.errors?.[0]?.pointer]).toEqual([email, 400, '/email'])
  }
  for (const email of ['josé@names.test', 'jose\u0301@mails.test', 'юра@почта.test'])
    await must({ path: '/people', as, body: { ...person, email } })
})
