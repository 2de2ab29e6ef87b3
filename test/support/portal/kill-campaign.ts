// A portal that is killed (-9) again and again while heartbeats, acceptances, grants and creations
// are under way. Who got no answer sends again, as clients do; afterwards the API is asked what is
// there.
import assert from 'node:assert/strict'
import { makeDocument, makeItem } from '../pricing/small-book.ts'
import { makeRandom } from '../reference/random/random.ts'
import { waitUntil } from '../run/wait-until.ts'
import type { PortalProcess } from './portal-process.ts'

const HOUR_MS = 3_600_000
const DEPLOYMENTS = 4
/** Each has a limit of calls of its own. */
const OPERATORS = 6
const BYTES = 50_000_000
const PASSWORD = 'correct horse battery'
const FAR = '2035-01-01T00:00:00Z'
const PLAN = { name: 'Team', volumeBytesPerDay: 1e9, creditPricePerGib: '0.5' }

type Told = { readonly status: number; readonly text: string; readonly isReplayed: boolean }
// biome-ignore lint/suspicious/noExplicitAny: what the campaign reads of an answer, it compares.
type Body = any
type Sent = {
  readonly kind: 'heartbeat' | 'acceptance' | 'grant' | 'creation'
  readonly path: string
  readonly as: string
  readonly body?: object
  /** Absent: the call may be sent again without one. */
  readonly key?: string
}

export type KillReport = {
  readonly kills: number
  readonly calls: number
  /** Without an answer, since the portal was killed. */
  readonly broken: number
  readonly heartbeats: number
  readonly offers: number
  readonly grants: number
  readonly movements: number
}

/** Fails where something was lost, or is there twice. `operator`: a token. By `seed` the portal is
 *  killed when so many calls of a round have been answered. */
export async function runKillCampaign(
  portal: PortalProcess,
  operator: string,
  options: { kills: number; seed: number; tell?: (round: number) => void },
): Promise<KillReport> {
  const { kills, seed, tell = () => undefined } = options
  const random = makeRandom(seed)
  const call = async (
    path: string,
    as?: string,
    more: { readonly body?: object; readonly key?: string; readonly for?: string } = {},
  ): Promise<Told> => {
    const { body, key } = more
    const answer = await fetch(`${portal.url}/api/portal/v1${path}`, {
      method: more.body === undefined && more.key === undefined ? 'GET' : 'POST',
      headers: {
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(more.for === undefined ? {} : { 'x-organization-id': more.for }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    const isReplayed = answer.headers.get('idempotent-replayed') === 'true'
    return { status: answer.status, text: await answer.text(), isReplayed }
  }
  const ok = async (...given: Parameters<typeof call>): Promise<Body> => {
    const { status, text } = await call(...given)
    assert.ok(status < 300, `${given[0]}: ${status} ${text}`)
    return JSON.parse(text)
  }
  const all = async (path: string, of?: string): Promise<Body[]> => {
    const found: Body[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = `${path.includes('?') ? '&' : '?'}limit=200`
      const page: string = cursor === '' ? query : `${query}&cursor=${cursor}`
      const { data, nextCursor } = await ok(path + page, operator, of ? { for: of } : {})
      found.push(...data)
      cursor = nextCursor
    }
    return found
  }

  const price = { model: { kind: 'per_unit', unitPrice: '10' }, per: 'month' }
  await ok('/price-books', operator, { body: makeDocument([makeItem('logs', [price])]) })
  const { id } = await ok('/organizations', operator, { body: { name: 'Killed' } })
  const email = 'admin@killed.test'
  const person = { email, name: 'A', role: 'customer_admin', password: PASSWORD }
  await ok('/people', operator, { body: person, for: id })
  const { token: admin } = await ok('/session', undefined, { body: { email, password: PASSWORD } })
  const license = { organizationId: id, name: 'First', plan: PLAN, validTo: FAR }
  const { licenseKey, license: first } = await ok('/licenses', operator, { body: license })
  const report = (at: number) => ({
    ...{ fingerprint: `killed-${at}-0000`, name: 'k', version: '1', layout: 'X8' },
  })
  const tokens: string[] = []
  for (let at = 0; at < DEPLOYMENTS; at += 1) {
    const begun = await ok('/deployments/heartbeat', licenseKey, { body: report(at) })
    tokens.push(begun.deploymentToken)
  }
  const operators: string[] = []
  for (let at = 0; at < OPERATORS; at += 1)
    operators.push((await ok('/operator-tokens', operator, { body: { name: `${at}` } })).token)

  const began = Math.floor(Date.now() / HOUR_MS)
  const answered = new Map<Sent, Told>()
  const sent: Sent[] = []
  const offers: string[] = []
  let broken = 0
  const send = async (it: Sent): Promise<void> => {
    const { path, as, body, key } = it
    const more = { ...(body ? { body } : {}), ...(key ? { key } : {}) }
    const told = await call(path, as, it.kind === 'grant' ? { ...more, for: id } : more)
    assert.ok(told.status < 300, `${it.kind}: ${told.status} ${told.text}`)
    const before = answered.get(it)
    if (before !== undefined && key !== undefined) {
      assert.equal(told.text, before.text, 'a repeat is answered otherwise')
      assert.ok(told.isReplayed, 'a call that was answered is done again')
    }
    answered.set(it, before ?? told)
  }
  const makeRound = async (round: number): Promise<Sent[]> => {
    const as = operators[round % OPERATORS] ?? operator
    const made: Sent[] = tokens.map((token, at) => ({
      ...{ kind: 'heartbeat', path: '/deployments/heartbeat', as: token },
      body: {
        ...report(at),
        meters: [hourOf(round), hourOf(round + 1)].map((hour) => ({
          ...{ hour, events: at + 1, bytes: BYTES * (at + 1) },
        })),
      },
    }))
    for (let at = 0; at < 2; at += 1) {
      const body = {
        ...{ title: `Offer ${round}-${at}`, content: { lines: [{ item: 'logs', quantity: '1' }] } },
        ...{ validUntil: FAR, license: { kind: 'extend', licenseId: first.id }, credit: '3.25' },
      }
      const offer = await ok('/offers', as, { body, for: id })
      await ok(`/offers/${offer.id}/send`, as, { body: {}, for: id })
      offers.push(offer.id)
      const path = `/offers/${offer.id}/accept`
      made.push({ kind: 'acceptance', path, as: admin, key: `accept ${offer.id}` })
      const key = `${round}-${at}`
      const grant = { amount: '1.5', source: `grant ${key}` }
      made.push({ kind: 'grant', path: '/credits/grants', as, key: `grant ${key}`, body: grant })
    }
    for (let at = 0; at < 4; at += 1) {
      const name = `Made ${round}-${at}`
      made.push({ kind: 'creation', path: '/organizations', as, key: name, body: { name } })
    }
    return made
  }
  const hourOf = (back: number) => new Date((began - 1 - back) * HOUR_MS).toISOString()

  for (let round = 0; round < kills; round += 1) {
    const made = await makeRound(round)
    sent.push(...made)
    const enough = random.below(made.length)
    const isAnswered = (it: Sent) => answered.has(it)
    const calls = Promise.allSettled(made.map((it) => send(it)))
    await waitUntil('calls are answered', () => made.filter(isAnswered).length >= enough)
    const worker = portal.product.processes().find(({ role }) => role === 'portal')
    assert.ok(worker, 'there is no process of the portal')
    process.kill(worker.pid, 'SIGKILL')
    for (const { status, ...of } of await calls) {
      if (status !== 'rejected') continue
      if ('reason' in of && of.reason instanceof assert.AssertionError) throw of.reason
      broken += 1
    }
    await waitUntilUp(portal.url)
    // Heartbeats that were answered are not sent again: they must be there.
    const again = made.filter(
      (it, at) => !answered.has(it) || (it.key !== undefined && at % 2 === 0),
    )
    await Promise.all(again.map((it) => send(it)))
    tell(round)
  }

  assert.ok(broken > 0, 'no kill met a call')
  const count = (kind: Sent['kind']) => sent.filter((it) => it.kind === kind).length
  const names = (await all('/organizations?kind=customer')).map(({ name }) => name)
  const wanted = sent.flatMap(({ kind, key }) => (kind === 'creation' && key ? [key] : []))
  assert.deepEqual(names.filter((name) => name.startsWith('Made ')).sort(), wanted.sort())

  const licenses = await all('/licenses', id)
  for (const offerId of offers) {
    const offer = await ok(`/offers/${offerId}`, operator, { for: id })
    assert.equal(offer.state, 'accepted')
  }
  // Each acceptance extends it by a month, once.
  const end = new Date(FAR)
  end.setUTCMonth(end.getUTCMonth() + offers.length)
  assert.deepEqual(
    licenses.map(({ name, validTo }) => [name, validTo]),
    [['First', end.toISOString()]],
  )

  const usage = await all(`/usage?from=${hourOf(kills + 1)}&granularity=hour`, id)
  // At both ends of the rows of hours one report alone, between them the same one again.
  const perHour = BYTES * ((DEPLOYMENTS * (DEPLOYMENTS + 1)) / 2)
  assert.equal(usage.length, DEPLOYMENTS * (kills + 1), 'hours of usage')
  assert.equal(
    sum(usage.map(({ bytes }) => BigInt(bytes))),
    BigInt(perHour * (kills + 1)),
    'bytes of usage',
  )

  // A grant books what was used until now: from here on the balance and the movements say the same.
  const last = { amount: '1', source: 'last' }
  await ok('/credits/grants', operator, { body: last, for: id })
  const balance = await ok('/credits', operator, { for: id })
  const grants: Body[] = balance.grants
  const expected = [
    last.source,
    ...offers.map((offer) => `offer ${offer}`),
    ...sent.flatMap(({ kind, key }) => (kind === 'grant' && key ? [key] : [])),
  ]
  assert.deepEqual(grants.map(({ source }) => source).sort(), expected.sort())
  const of = (name: string) => sum(grants.map((grant) => cents(grant[name])))
  const left = of('amount') - of('burned') - of('expired') - of('voided')
  assert.equal(left, cents(balance.amount) + cents(balance.upcoming), 'grants less burn')
  const movements = await all('/credits/movements', id)
  assert.equal(new Set(movements.map((it) => it.number)).size, movements.length)
  let available = 0n
  for (const { entries } of movements) {
    assert.equal(sum(entries.map((it: Body) => cents(it.amount))), 0n, 'entries of a movement')
    for (const { account, amount } of entries)
      if (account === 'available') available += cents(amount)
  }
  assert.equal(available, left, 'movements')
  return {
    ...{ kills, calls: sent.length, broken, heartbeats: count('heartbeat') },
    ...{ offers: offers.length, grants: grants.length - 1, movements: movements.length },
  }
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n)
}

/** Millionths of a millionth, exact. */
function cents(text: string): bigint {
  const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const value = BigInt(whole + part.padEnd(12, '0'))
  return sign === '-' ? -value : value
}

function waitUntilUp(url: string): Promise<true> {
  return waitUntil('the portal has come back', () => {
    const signal = AbortSignal.timeout(2000)
    return fetch(`${url}/api/healthcheck`, { signal }).then(
      () => true,
      () => false,
    )
  })
}
