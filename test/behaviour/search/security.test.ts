// What a user may not see stays unseen through every stage; no text of a query reaches SQL.
import { beforeAll, describe, expect, it } from 'vitest'
import {
  makeWord,
  productUrl,
  sdk,
  search,
  searchUntil,
  sendEvents,
  type User,
} from '../../support/clients/product-client.ts'
import { mapAtOnce } from '../../support/run/map-at-once.ts'
import { sampleOf } from '../../support/run/tier.ts'

const CALLS_AT_ONCE = 6

describe('a log that a user may not view', () => {
  // Names of one length, so that positions and lengths of answers cannot differ for that reason.
  const id = makeWord('')
  const hidden = {
    folder: `Vault a${id}`,
    log: `secret a${id}`,
    column: `pin a${id}`,
    host: `host-a${id}`,
    tag: `taga${id}`,
  }
  const absent = {
    folder: `Vault b${id}`,
    log: `secret b${id}`,
    column: `pin b${id}`,
    host: `host-b${id}`,
    tag: `tagb${id}`,
  }
  const open = { folder: `Open ${id}`, log: `public ${id}` }
  const reader: User = { name: `reader ${id}`, password: `password of ${id}` }

  beforeAll(async () => {
    await sdk('securityUsers', {
      action: 'add',
      userName: reader.name,
      userPassword: reader.password,
    })
    const { token } = await sdk('addListener', { name: `vault ${id}`, appTags: hidden.tag })
    const event = { message: `word${id} kept`, [hidden.column]: 'value', common: 'yes' }
    await sendEvents(
      { ...event, productPath: hidden.folder, productName: hidden.log },
      { hostName: hidden.host, token: String(token) },
    )
    await sendEvents({
      message: `word${id} shown`,
      common: 'yes',
      productPath: open.folder,
      productName: open.log,
    })
    await searchUntil(2, { searchQuery: `word${id}` })
    await sdk('setPermissions', {
      path: `Events->${hidden.folder}`,
      type: 'folder',
      viewUsers: '',
    }).catch(async () => {
      const all = await search({ searchQuery: `word${id} kept`, fixedInterval: 'allData' })
      throw new Error(`the folder is called ${all.rows[0]?.folder}`)
    })
    await searchUntil(1, { searchQuery: `word${id}` }, { user: reader })
  })

  it('gives its rows to an administrator and none of them to the user', async () => {
    expect((await searchUntil(2, { searchQuery: `word${id}` })).rows).toHaveLength(2)
    const seen = await search(
      { searchQuery: `word${id}`, fixedInterval: 'allData' },
      { user: reader },
    )
    expect(seen.rows.map((row) => row.message)).toEqual([`word${id} shown`])
    expect(seen.document).not.toContain(hidden.column)
  })

  it.each<[string, (names: typeof hidden) => string]>([
    ['by log name', ({ log }) => `* in log.${log}`],
    ['by path', ({ folder, log }) => `* in log.Events->${folder}->${log}`],
    ['by folder', ({ folder }) => `* in folder.${folder}`],
    ['by host', ({ host }) => `* in server.${host}`],
    ['by tag', ({ tag }) => `* in apptag.${tag}`],
    ['by a wildcard', ({ folder }) => `* in folder.${folder.slice(0, -3)}*`],
    ['by exclusion', ({ log }) => `word${id} not in log.${log}`],
    ['in words', ({ column }) => `${column}`],
    ['by a column of its own', ({ column }) => `${column} = value`],
    ['by a column that exists', ({ column }) => `${column} exists`],
    ['by a quoted column', ({ column }) => `"${column}" = value`],
    ['by a prefixed column', ({ column }) => `column.${column} = value`],
    ['by a built-in column', ({ log }) => `event.log = "${log}"`],
    ['by listing its column', ({ column }) => `word${id} | list ${column}, message`],
    ['by grouping on its column', ({ column }) => `word${id} | count | group by ${column}`],
    ['by counting its column', ({ column }) => `word${id} | count ${column}`],
    ['by a count', ({ log }) => `* in log.${log} | count`],
    ['by the flow', ({ log }) => `* in log.${log} | datastream`],
    ['by the flow of all', () => `* in folder.Vault* | datastream | group by log`],
    ['by an error in its scope', ({ log }) => `* in log.${log} | count count count ,`],
    ['by a bad pattern on its column', ({ column }) => `column.${column} matches "(("`],
  ])('answers the user as if it did not exist, asked %s', async (_, query) => {
    const ask = (names: typeof hidden) =>
      search({ searchQuery: query(names), fixedInterval: 'allData' }, { user: reader })
    const [ofHidden, ofAbsent] = [await ask(hidden), await ask(absent)]
    // The only difference allowed is the name that was asked for.
    const neutral = (text: string) => text.replaceAll(`a${id}`, '?').replaceAll(`b${id}`, '?')
    expect(neutral(ofHidden.document)).toBe(neutral(ofAbsent.document))
    expect(ofHidden.document).not.toContain('kept')
  })

  it('opens again when the right is given', async () => {
    await sdk('setPermissions', {
      path: `Events->${hidden.folder}`,
      type: 'folder',
      viewUsers: reader.name,
    })
    const seen = await searchUntil(2, { searchQuery: `word${id}` }, { user: reader })
    expect(seen.rows.map((row) => row.message).sort()).toEqual([
      `word${id} kept`,
      `word${id} shown`,
    ])
  })

  it('is not the only thing an ordinary user cannot do', async () => {
    await expect(
      sdk(
        'setPermissions',
        { path: `Events->${hidden.folder}`, type: 'folder', viewUsers: reader.name },
        reader,
      ),
    ).rejects.toThrow(/403/)
    await expect(
      sdk('settings', { list: 'true' }, { ...reader, password: 'wrong' }),
    ).rejects.toThrow(/401/)
  })
})

describe('SQL in a query', () => {
  const word = makeWord('inject')
  const TEXTS = [
    `'`,
    `"`,
    '`',
    `\\`,
    `\\'`,
    `' OR 1=1 --`,
    `') OR ('1'='1`,
    `') UNION ALL SELECT * FROM events --`,
    `'; DROP TABLE events; --`,
    `x\`) FROM events --`,
    `/* */`,
    `-- `,
    `#`,
    `{q:String}`,
    `{p0:UInt8}`,
    `$$ $1 ?`,
    `%s %`,
    `\n; SELECT 1`,
    `\u0000`,
    `\u001f`,
    `throwIf(1)`,
    `sleep(3)`,
    `currentUser()`,
    `FORMAT Null`,
    `SETTINGS max_threads=1`,
  ]
  const PLACES: readonly [string, (text: string) => string][] = [
    ['as words', (text) => `${word} ${text}`],
    ['as a phrase', (text) => `${word} "${quoted(text)}"`],
    ['as a value', (text) => `${word} user = "${quoted(text)}"`],
    ['as an unquoted value', (text) => `${word} user = ${text}`],
    ['as a column', (text) => `${word} "${quoted(text)}" = 1`],
    ['as a prefixed column', (text) => `${word} column.${text} = 1`],
    ['as a part of text', (text) => `${word} user contains "${quoted(text)}"`],
    ['as an expression', (text) => `${word} user matches "${quoted(text)}"`],
    ['in a list', (text) => `${word} user in ("${quoted(text)}", b)`],
    ['as bounds', (text) => `${word} user between "${quoted(text)}" and "${quoted(text)}"`],
    ['as a network', (text) => `${word} user within "${quoted(text)}"`],
    ['as a time', (text) => `${word} timestamp > "${quoted(text)}"`],
    ['as a log', (text) => `${word} in log."${quoted(text)}"`],
    ['as a folder', (text) => `${word} in folder.${text}`],
    ['as a host', (text) => `${word} in server."${quoted(text)}"`],
    ['as a tag', (text) => `${word} in apptag."${quoted(text)}"`],
    ['as a listed column', (text) => `${word} | list "${quoted(text)}" as "${quoted(text)}"`],
    ['as a shown column', (text) => `${word} | display only "${quoted(text)}"`],
    ['as a key', (text) => `${word} | count as "${quoted(text)}" | group by "${quoted(text)}"`],
    ['in where', (text) => `${word} | count as n | group by user | where "${quoted(text)}" > 1`],
    ['as a limit', (text) => `${word} | limit ${text}`],
    ['as a stage', (text) => `${word} | ${text}`],
  ]
  const quoted = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')

  beforeAll(async () => {
    await sendEvents({ message: `${word} here`, user: 'ann', productName: `log ' ${word}` })
    await searchUntil(1, { searchQuery: word })
  })

  const places = PLACES.map(([name, place], table) => ({ name, place, table }))
  it.each(places)('reaches nothing $name', async ({ place, table }) => {
    await mapAtOnce(sampleOf(TEXTS, table), CALLS_AT_ONCE, async (text) => {
      const answer = await search({ searchQuery: place(text), fixedInterval: 'allData' })
      const told = `${place(text)} gave ${answer.document.slice(0, 300)}`
      expect(answer.httpStatus, told).toBe(200)
      // Either it is a query that finds at most the one event, or it is refused as a query: never a
      // fault after it.
      if (answer.state === 'OK') expect(answer.numberOfResults, told).toBeLessThanOrEqual(1)
      else expect(answer.message, told).toMatch(/^1: (query error at \d+: |[a-z_A-Z]+: )/)
      expect(answer.message, told).not.toMatch(/internal error|DB::|Exception|system\.|Syntax/)
    })
    expect((await search({ searchQuery: word, fixedInterval: 'allData' })).numberOfResults).toBe(1)
  })

  it('reaches nothing in the other parameters', async () => {
    const NAMES = ['fixedInterval', 'maxNumOfRecords', 'timeout', 'abortOn', 'resultFormat']
    const reachesNothing = async (text: string) => {
      const refused = NAMES.map((name) => search({ searchQuery: word, [name]: text }))
      for (const answer of await Promise.all(refused))
        expect(answer).toMatchObject({ httpStatus: 200, state: 'Fail', code: 1 })
      const named = await search({ searchQuery: word, fixedInterval: 'allData', searchId: text })
      expect(named.numberOfResults).toBe(1)
      const canceled = await search({ widgetId: 'cancelSearch', searchId: text })
      expect(canceled.message).toBe(
        '1: no running search or page token of this name: it may have ended',
      )
    }
    // A cancel waits for its search.
    await Promise.all(TEXTS.map(reachesNothing))
  })

  it('reaches nothing in names and passwords', async () => {
    // Not all of them: each costs a hash.
    for (const text of TEXTS.slice(0, 8)) {
      const guessed = await search({ searchQuery: word }, { user: { name: text, password: text } })
      expect(guessed.httpStatus).toBe(401)
    }
  })

  it('reaches nothing through names of columns, hosts and logs', async () => {
    const other = makeWord('inject')
    // A key with NUL is no column.
    const texts = TEXTS.filter((text) => text !== '\u0000')
    const events = texts.map((text, index) => ({
      message: `${other} ${index}`,
      [`key ${text}`]: text,
      [text]: { [text]: text },
      productName: `log ${text}`,
      productPath: `Inject ${text}`,
    }))
    for (const [index, event] of events.entries())
      await sendEvents(event, {
        hostName: `host ${texts[index]}`,
      })
    const answer = await searchUntil(texts.length, { searchQuery: other })
    for (const [index, text] of texts.entries()) {
      const row = answer.rows.find((one) => one.message === `${other} ${index}`)
      const printed = text.replaceAll('\u001f', '\ufffd')
      expect(row?.[`key ${printed}`], JSON.stringify(text)).toBe(printed)
    }
    const table = await search({
      searchQuery: `${other} | count | group by log`,
      fixedInterval: 'allData',
    })
    expect(table.message).toBe('')
    expect(table.numberOfResults).toBeGreaterThan(10)
  })
})

describe('addresses of the product', () => {
  it('are not told to other sites and not kept', async () => {
    const answer = await fetch(`${productUrl()}/logeye/root.html`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  })
})
