// Rules of masking of a listener account: what they hide is nowhere, whichever way it came.
import { describe, expect, it } from 'vitest'
import { expectSuccess, post } from '../../support/clients/ingest-client.ts'
import {
  admin,
  callSearch,
  makeWord,
  productUrl,
  sdk,
  searchUntil,
} from '../../support/clients/product-client.ts'

const RULES = [
  ...['hash email', 'replace *** card', 'cut bearer', 'hash ipv4', 'hash column host'],
  ...['cut column user.password', 'hash column tenant'],
].join('@#@#')

async function makeListener(name: string, given: Readonly<Record<string, string>>) {
  const { token } = await sdk('addListener', { name, maskRules: RULES, ...given })
  return { token: String(token), folder: String(given.parentFolder) }
}

/** Everything that is kept of events with the word, as one text. */
async function allOf(word: string, count: number): Promise<string> {
  const searchQuery = `${word} | display only timestamp, log, folder, host, source, message, raw, size, *`
  const { document } = await searchUntil(count, { searchQuery: word })
  const json = await callSearch({ searchQuery, fixedInterval: 'allData', resultFormat: 'json' })
  return document + (await json.text())
}

describe('what a listener account hides', () => {
  it('is in no column, log name, host, raw event or rejected event, and the rest is', async () => {
    const word = makeWord('mask')
    const { token } = await makeListener(word, {
      parentFolder: `Masked->${word}`,
      splitColumns: 'tenant->host*',
    })
    const parameters = { token }
    const event = {
      message: `${word} mail ann@example.org card 4111 1111 1111 1111`,
      tenant: 'tenant-secret',
      host: 'host-secret',
      user: { name: 'Ann', password: 'password-secret' },
      deep: [{ user: { password: 'password-secret' } }],
      number: 5555555555554444,
      authorization: 'Bearer token-secret-1234',
      'kim@example.org': 1,
    }
    const escaped = JSON.stringify({ message: `${word} 10.9.8.7 joe@example.org` }).replace(
      /[@9]/g,
      (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    const broken = `{"message":"${word} sam@example.org","user":{"password":"password-secret"`
    const deep = `{"message":"${word}","tenant":"tenant-secret","d":${'['.repeat(40)}${']'.repeat(40)}}`
    const answer = await post([JSON.stringify(event), escaped, deep, broken].join('\n'), {
      parameters,
    })
    expect(answer).toMatchObject({ status: 200, body: { accepted: 2, rejected: 2 } })
    const lines = `${word} from 10.9.8.7 to lea@example.org\r\n${word} plain line`
    const headers = { 'content-type': 'text/plain' }
    expectSuccess(await post(lines, { headers, parameters: { token, hostName: 'host-secret' } }), 2)

    // Without the word: its random digits may be those of a secret.
    const kept = (await allOf(word, 6)).replaceAll(word, 'WORD')
    for (const secret of [
      ...['ann@', 'kim@', 'joe@', 'sam@', 'lea@', 'example.org', '1111', '5555', '10.9.8.7'],
      'secret',
    ])
      expect(kept).not.toContain(secret)
    expect(kept).toContain('plain line')
    expect(kept).toContain('***')
    expect(kept).toContain('Ann')
    // The same value is the same everywhere: it can still be counted and followed.
    const [hash = ''] = /from (h_[a-p]{16})/.exec(kept)?.slice(1) ?? []
    await searchUntil(2, { searchQuery: `${word} ${hash}` })
  })

  it('is said by debug=1 as it would be stored, and a change applies to what comes then', async () => {
    const word = makeWord('mask')
    const { token } = await makeListener(word, { parentFolder: `Masked->${word}` })
    const body = JSON.stringify({ message: `${word} ann@example.org` })
    const explained = await post(body, { parameters: { token, debug: '1' } })
    expect(JSON.stringify(explained.body)).not.toContain('ann@')
    await sdk('addListener', { name: word, update: 'true', maskRules: '' })
    await expect
      .poll(async () =>
        JSON.stringify((await post(body, { parameters: { token, debug: '1' } })).body),
      )
      .toMatch(/"code":0/)
    await searchUntil(0, { searchQuery: `${word}` })
  })

  it('may be named by a template, for the events that meet it', async () => {
    const word = makeWord('mask')
    await sdk('addTemplate', {
      name: word,
      logTypes: word,
      patterns: '{text:Name} pays {text:Sum}',
      maskRules: 'hash email',
    })
    const { token } = await makeListener(word, { parentFolder: `Masked->${word}`, maskRules: '' })
    const message = `${word} ann@example.org pays 5`
    const met = JSON.stringify({ productType: word, message })
    expectSuccess(
      await post(`${met}\n${JSON.stringify({ message })}`, { parameters: { token } }),
      2,
    )
    const { rows } = await searchUntil(2, { searchQuery: word })
    expect(rows.filter((row) => row.message?.includes('ann@'))).toHaveLength(1)
    expect(rows.filter((row) => /h_[a-p]{16} pays/.test(row.message ?? ''))).toHaveLength(1)
  })

  it('has rules that say what is wrong with them, and are part of the configuration', async () => {
    const word = makeWord('mask')
    await expect(sdk('addListener', { name: word, maskRules: 'hide email' })).rejects.toThrow(
      /maskRules.*must begin with hash, cut or replace/,
    )
    await makeListener(word, { parentFolder: word })
    const { name, password } = admin()
    const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
    const headers = { 'content-type': 'application/json', authorization }
    const url = `${productUrl()}/logeye/sdk/exportAll`
    const answer = await fetch(url, { method: 'POST', headers, body: '{}' })
    const text = await answer.text()
    for (const rule of RULES.split('@#@#')) expect(text).toContain(`- ${rule}`)
  })

  it('can be tried on events that are stored', async () => {
    const word = makeWord('mask')
    const { token } = await makeListener(word, { parentFolder: word, maskRules: '' })
    const events = [1, 2, 3].map((n) => ({ message: `${word} ${n} ann${n}@example.org`, n }))
    const body = [...events, { message: `${word} none` }].map((it) => JSON.stringify(it)).join('\n')
    expectSuccess(await post(body, { parameters: { token } }), 4)
    await searchUntil(4, { searchQuery: word })
    const tried = await sdk('verifyMask', {
      listener: word,
      maskRules: 'hash email@#@#cut column n',
    })
    expect(tried).toMatchObject({
      events: 4,
      masked: 3,
      rules: [
        { rule: 'hash email', values: 3 },
        { rule: 'cut column n', values: 3 },
      ],
    })
    expect(JSON.stringify(tried.examples)).toMatch(/ann3@example.org.*h_[a-p]{16}/)
    const { document } = await searchUntil(4, { searchQuery: word })
    expect(document).toContain('ann3@example.org')
  })
})
