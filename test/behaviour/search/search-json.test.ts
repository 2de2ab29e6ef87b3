// The JSON interface from outside: the live tail shows every matching event once, and what a user
// may not view does not exist. Its processes are killed in own-product/kills.test.ts.
import { beforeAll, describe, expect, it } from 'vitest'
import { context } from '../../../query/search-json/calls/context.ts'
import { events } from '../../../query/search-json/calls/events.ts'
import { explain } from '../../../query/search-json/calls/explain.ts'
import { makeJsonClient } from '../../support/clients/json-client.ts'
import {
  admin,
  makeWord,
  productUrl,
  sdk,
  sendEvents,
  type User,
} from '../../support/clients/product-client.ts'
import { SOON } from '../../support/run/patience.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

const client = (user = admin()) =>
  makeJsonClient((path, init) => fetch(`${productUrl()}${path}`, init), user)

const numbersOf = (found: readonly { readonly columns: Record<string, string> }[]) =>
  found.map(({ columns }) => Number(columns.n))

describe('a live tail', () => {
  // How far it is behind is measured by loadtest/tail-load.ts.
  it('brings each event when it is there, not with the next one', async () => {
    const word = makeWord('quick')
    const tail = await client().tail(word)
    for (let n = 0; n < 5; n += 1) {
      await sendEvents({ message: word, n })
      await tail.until(n + 1)
    }
    tail.close()
    expect(numbersOf(tail.events)).toEqual([0, 1, 2, 3, 4])
  })

  it('goes on behind Last-Event-ID, and behind the newest page, without gap or repetition', async () => {
    const word = makeWord('resumed')
    const send = (...numbers: readonly number[]) =>
      sendEvents(numbers.map((n) => ({ message: word, n })))
    await send(1, 2, 3)
    const { tailId } = await waitUntil('the page has three events', async () => {
      const page = await client().ask(events, { query: word })
      return page.data.length === 3 ? page : undefined
    })
    const first = await client().tail(word, tailId)
    await send(4, 5, 6)
    await first.until(3)
    expect(numbersOf(first.events)).toEqual([4, 5, 6])
    const id = first.lastId()
    first.close()
    await send(7, 8, 9)
    const second = await client().tail(word, id)
    await second.until(3)
    // What would be repeated comes before this one.
    await send(10)
    await second.until(4)
    expect(numbersOf(second.events)).toEqual([7, 8, 9, 10])
    second.close()
  })

  it('is refused when a user has too many open, and free again when one ends', async () => {
    const open: Awaited<ReturnType<ReturnType<typeof client>['tail']>>[] = []
    const openOneMore = () =>
      client()
        .tail('none')
        .then(
          (tail) => open.push(tail),
          () => 0,
        )
    try {
      // The place of a client that has just gone is free a moment later.
      for (let n = 1; n <= 5; n += 1) await expect.poll(openOneMore, SOON).toBe(n)
      await expect(client().tail('none')).rejects.toThrow('"code":"busy"')
      open[0]?.close()
      await expect.poll(openOneMore, SOON).toBe(6)
    } finally {
      for (const tail of open) tail.close()
    }
  })

  it('refuses a wrong filter and a foreign position before it begins', async () => {
    // The places of clients that have just gone are free a moment later.
    await expect.poll(() => client().tail('a = ').catch(String), SOON).toContain('"position":5')
    await expect(client().tail('* | count')).rejects.toThrow('without stages')
    await expect(client().tail('*', 'nonsense')).rejects.toThrow('lastEventId')
  })
})

describe('a log that a user may not view', () => {
  const vault = makeVault()
  let secretId = ''

  beforeAll(async () => {
    secretId = await fillVault(vault)
  })

  it('has no context, and neither the statement nor what was read is told', async () => {
    expect(await client(vault.user).refusal('context', { event: secretId })).toMatchObject({
      code: 'not_found',
    })
    const around = await client().ask(context, { event: secretId })
    expect(around.event.message).toBe(`${vault.word} secret`)
    const query = 'nothing'
    // What the store reads for one log lies among the events of others.
    const untold = { statement: null, rowsRead: null, bytesRead: null }
    expect(await client(vault.user).ask(explain, { query })).toMatchObject(untold)
    const told = await client().ask(explain, { query })
    expect(told.statement?.sql).toMatch(/^SELECT/)
    expect([told.rowsRead, told.bytesRead]).toEqual([expect.any(Number), expect.any(Number)])
  })

  it('is not in a tail, and leaves one that is open when the right goes', async () => {
    const vault = makeVault()
    await fillVault(vault)
    const { user, word, hidden, openFolder } = vault
    const tail = await client(user).tail(word)
    const publish = (n: number) =>
      sendEvents([
        {
          ...{ message: `${word} secret`, n },
          ...{ productPath: hidden.folder, productName: hidden.log },
        },
        { message: `${word} open`, n, productPath: openFolder, productName: 'open' },
      ])
    const count = async (of: ReturnType<typeof client>) =>
      (await of.ask(events, { query: word })).data.length
    await publish(1)
    await tail.until(1)
    await sdk('setPermissions', { path: `Events->${openFolder}`, type: 'folder', viewUsers: '' })
    await expect.poll(() => count(client(user)), SOON).toBe(0)
    await publish(2)
    // It comes after those that the user may not view.
    await sendEvents({ message: `${word} after`, n: 3 })
    await tail.until(2)
    expect(tail.events.map(({ message, columns }) => [message, columns.n])).toEqual([
      [`${word} open`, '1'],
      [`${word} after`, '3'],
    ])
    tail.close()
  })

  it('ends the tail of a user who is disabled', async () => {
    const user = makeUser()
    await sdk('securityUsers', { action: 'add', userName: user.name, userPassword: user.password })
    const tail = await client(user).tail(vault.word)
    await sdk('securityUsers', { action: 'edit', userName: user.name, enabled: 'false' })
    await waitUntil('the tail has ended', () => tail.errors.length > 0)
    expect(tail.errors.join()).toContain('sign_in_failed')
  })
})

type Vault = {
  readonly user: User
  /** In all its events. */
  readonly word: string
  readonly hidden: { readonly log: string; readonly folder: string; readonly column: string }
  readonly openFolder: string
}

function makeUser(): User {
  return { name: makeWord('reader'), password: 'password of the reader' }
}

/** For a test that changes rights. */
function makeVault(): Vault {
  const tag = makeWord('7')
  return {
    ...{ user: makeUser(), word: makeWord('vaulted'), openFolder: `Open ${tag}` },
    hidden: { log: `deep ${tag}`, folder: `Vault ${tag}`, column: `pin ${tag}` },
  }
}

/** Adds the user, an event that everybody sees, and one whose folder the user may not view;
 * resolves with the id of the latter. */
async function fillVault({ user, word, hidden, openFolder }: Vault): Promise<string> {
  await sdk('securityUsers', { action: 'add', userName: user.name, userPassword: user.password })
  await sendEvents([
    {
      message: `${word} secret`,
      [hidden.column]: 'treasure',
      productPath: hidden.folder,
      productName: hidden.log,
    },
    { message: `${word} open`, colour: 'red', productPath: openFolder, productName: 'open' },
  ])
  const pageOf = async (count: number, of = client()) => {
    const page = await of.ask(events, { query: word })
    return page.data.length === count ? page : undefined
  }
  const page = await waitUntil('both events are found', () => pageOf(2))
  await sdk('setPermissions', { path: `Events->${hidden.folder}`, type: 'folder', viewUsers: '' })
  await waitUntil('one of them is hidden', () => pageOf(1, client(user)))
  return page.data.find(({ message }) => message === `${word} secret`)?.id ?? ''
}
