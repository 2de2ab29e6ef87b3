// A policy hides values from those who have it (docs/decisions/0089). An attacker with every way to
// read gets none of a hundred planted secrets, and no answer is another one when he guesses right.
import { beforeAll, describe, expect, it } from 'vitest'
import { events as eventsCall } from '../../../query/search-json/calls/events.ts'
import { makeJsonClient } from '../../support/clients/json-client.ts'
import {
  callSearch,
  makeWord,
  productUrl,
  sdk,
  search,
  searchUntil,
  sendEvents,
  type User,
} from '../../support/clients/product-client.ts'

const word = makeWord('hidden')
const attacker: User = { name: `attacker ${word}`, password: `password of ${word}` }
const EVENTS = 25

type Planted = {
  readonly mail: string
  readonly card: string
  readonly address: string
  readonly pin: string
}

const planted: readonly Planted[] = Array.from({ length: EVENTS }, (_, i) => ({
  mail: `person${i}x${word}@example.org`,
  card: withCheckDigit(`4${String(700_000_000_000_00 + i * 7919)}`),
  address: `198.51.${100 + i}.${i + 1}`,
  pin: `pin${i}q${word}`,
}))
const secrets = planted.flatMap((it) => [it.mail, it.card, it.address, it.pin])

function withCheckDigit(digits: string): string {
  const sum = [...digits]
    .reverse()
    .map((digit, i) => Number(digit) * (i % 2 === 0 ? 2 : 1))
    .reduce((all, n) => all + (n > 9 ? n - 9 : n), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

function eventOf({ mail, card, address, pin }: Planted, i: number): object {
  return {
    message: `${word} ${mail} pays by ${card} from ${address} with ${pin}`,
    n: i,
    kind: 'paid',
    mail,
    card: i % 2 === 0 ? Number(card) : card,
    address,
    user: { pin, roles: [mail, 'buyer'] },
    'code of mail': { [mail]: 1 },
  }
}

/** The whole object is the message. */
function wholeOf({ mail, pin }: Planted): object {
  return { whole: word, mail, user: { pin } }
}

const json = makeJsonClient((path, init) => fetch(`${productUrl()}${path}`, init), attacker)

beforeAll(async () => {
  await sdk('securityPolicies', {
    action: 'add',
    policyName: word,
    masks: 'email@#@#card@#@#ipv4@#@#column user.pin',
  })
  await sdk('securityGroups', { action: 'add', groupName: word, policy: word })
  await sdk('securityUsers', {
    action: 'add',
    userName: attacker.name,
    userPassword: attacker.password,
    groups: word,
  })
  await sendEvents(planted.map(eventOf), { hostName: '198.51.100.1' })
  await sendEvents(planted.slice(0, 3).map(wholeOf))
  // One that cannot be rebuilt from its values, since it is written by escapes.
  const escaped = JSON.stringify({ message: `${word} escaped`, list: [planted[0]?.mail] })
  await sendEvents(escaped.replace('@', '\\u0040'))
  await searchUntil(EVENTS + 4, { searchQuery: word })
})

/** What the attacker reads, as one text. */
async function read(searchQuery: string, resultFormat = 'xml'): Promise<string> {
  const fields = { searchQuery, fixedInterval: 'allData', resultFormat }
  const answer = await callSearch(fields, { user: attacker })
  return await answer.text()
}

function expectNoSecret(text: string): void {
  const plain = text.replaceAll(/&#x?\w+;/g, ' ')
  for (const secret of secrets) expect(plain).not.toContain(secret)
}

describe('hidden values', () => {
  it('are shown to others', async () => {
    const { document } = await search({ searchQuery: word, fixedInterval: 'allData' })
    for (const secret of secrets) expect(document).toContain(secret)
  })

  it('are in no row, table, export or file', async () => {
    const all = 'timestamp, log, folder, host, source, message, raw, size, *'
    for (const format of ['xml', 'csv', 'json', 'ndjson']) expectNoSecret(await read(word, format))
    for (const query of [
      `${word} | display only ${all}`,
      `${word} | count | group by mail, card`,
      `${word} | count | group by user.pin, message`,
      `${word} | datastream | group by host`,
      `${word} | min card, max card, sum card, min mail, max user.pin`,
      `${word} | list mail, card, user.pin`,
      `${word} | dedup mail`,
      `${word} | order by mail, user.pin | limit 3`,
      `${word} | extract "(?<found>.*)" from user.pin`,
      `${word} | extract "with (?<found>.*)" from message`,
      `${word} | display only mail as shown, user.pin as other`,
      `mail in [ * in folder.Events | count | group by mail ] | list mail, user.pin`,
      `transaction("${word}", "user.pin", "A" -> "${word}", "user.pin", "B")`,
    ]) {
      const text = await read(query)
      expect({ query, text: text.slice(0, 300) }).toMatchObject({
        text: expect.stringMatching('state="OK"'),
      })
      expectNoSecret(text)
    }
    const paged = { searchQuery: word, fixedInterval: 'allData', paginate: 'true' }
    expectNoSecret((await search({ ...paged, maxNumOfRecords: 5 }, { user: attacker })).document)
  })

  it('are shown hidden, and the rest is shown', async () => {
    const { rows } = await search(
      { searchQuery: `${word} n = 7`, fixedInterval: 'allData' },
      { user: attacker },
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.message).toBe(`${word} *** pays by *** from *** with ***`)
    expect(rows[0]).toMatchObject({ mail: '***', 'user.pin': '***', n: '7', kind: 'paid' })
  })

  it('answer no question: whoever guesses right reads what he reads when he guesses wrong', async () => {
    const [real] = planted
    if (real === undefined) throw new Error('nothing was planted')
    const guesses: readonly (readonly [right: string, wrong: string, column: string])[] = [
      [real.mail, `nobodyx${word}@example.org`, 'mail'],
      [real.card, withCheckDigit('470000099999999'), 'card'],
      [real.address, '198.51.77.77', 'address'],
      [real.pin, `pin99q${word}`, 'user.pin'],
    ]
    const questions: readonly ((guess: string, column: string) => string)[] = [
      (guess) => `"${guess}" ${word}`,
      (guess) => `${word} ${guess.slice(0, -3)}*`,
      (guess) => `${word} *${guess.slice(2)}`,
      (guess, column) => `${word} ${column} = "${guess}"`,
      (guess, column) => `${word} ${column} != "${guess}"`,
      (guess, column) => `${word} ${column} in ("${guess}", "x")`,
      (guess, column) => `${word} ${column} contains "${guess.slice(1)}"`,
      (guess, column) => `${word} ${column} starts with "${guess.slice(0, 12)}"`,
      (guess, column) => `${word} ${column} matches "${guess.slice(0, 9)}"`,
      (guess) => `${word} message matches "${guess.slice(0, 12)}"`,
      (guess) => `${word} message contains "${guess}"`,
      (guess, column) => `${word} ${column} between "${guess}" and "${guess}"`,
      (guess, column) =>
        `${word} ${column} in [ ${word} ${column} = "${guess}" | display only ${column} ]`,
      (guess, column) => `${word} not ${column} = "${guess}" | count`,
      (guess, column) => `${word} | where ${column} = "${guess}" | count`,
      (guess) => `host = "${guess}" | count`,
    ]
    const told = (text: string, guess: string) =>
      text.replaceAll(guess, 'GUESS').replaceAll(/token="[^"]*"/g, '')
    for (const [i, ask] of questions.entries()) {
      // Each question of one kind of values: all of all would take a minute.
      const [right, wrong, column] = guesses[i % guesses.length] ?? ['', '', '']
      const [a, b] = await Promise.all([read(ask(right, column)), read(ask(wrong, column))])
      const query = ask(right, column)
      expect({ query, answer: told(a, right) }).toEqual({ query, answer: told(b, wrong) })
    }
  }, 60_000)

  it('are in no facet, completion, hint, histogram, neighbour or live tail', async () => {
    const window = { interval: 'allData' }
    const bodies: readonly (readonly [name: string, body: object])[] = [
      ['events', { query: word, ...window }],
      [
        'facets',
        { query: word, ...window, columns: ['mail', 'card', 'user.pin', 'message', 'host'] },
      ],
      ['histogram', { query: word, ...window, by: 'mail' }],
      ['overview', { query: word, ...window }],
      ['explain', { query: `${word} mail = person0*` }],
      ['query', { query: `${word} | count | group by mail`, ...window }],
      ...['mail', 'card', 'user.pin', 'host'].map((column): [string, object] => [
        'complete',
        { query: `${column} = `, ...window },
      ]),
    ]
    for (const [name, body] of bodies) {
      const answer = await json.post(name, body)
      const text = await answer.text()
      expect({ name, status: answer.status, text: text.slice(0, 200) }).toMatchObject({
        status: 200,
      })
      expectNoSecret(text)
    }
    const { data } = await json.ask(eventsCall, { query: `${word} n = 3`, ...window })
    for (const among of ['log', 'source'])
      expectNoSecret(await (await json.post('context', { event: data[0]?.id, among })).text())

    const tail = await json.tail(word)
    const [late] = planted
    await sendEvents({ ...(late && eventOf(late, 99)), n: 99 })
    await tail.until(1)
    tail.close()
    expectNoSecret(JSON.stringify(tail.events))
  }, 60_000)

  it('are in no result that was made before', async () => {
    const reader: User = { name: `reader ${word}`, password: `password of ${word}` }
    await sdk('securityUsers', {
      action: 'add',
      userName: reader.name,
      userPassword: reader.password,
    })
    const first = await search(
      { searchQuery: word, fixedInterval: 'allData', paginate: 'true', maxNumOfRecords: 5 },
      { user: reader },
    )
    expect(first.document).toContain('@example.org')
    await sdk('securityUsers', { action: 'edit', userName: reader.name, policy: word })
    await expect
      .poll(async () => (await search({ token: first.token }, { user: reader })).state)
      .toBe('Fail')
  })
})
