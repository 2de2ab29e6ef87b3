// A token that memory does not know: it may have been made a moment ago by another process.
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { Failure } from '../../../schemas/failures.ts'
import { describeEngines, makeRoundTrips, useServers } from '../../support/apps/http-server.ts'
import { ACCOUNTS, PATH, startListener } from '../../support/apps/listener-server.ts'
import { SOON } from '../../support/run/patience.ts'

useServers()

/** Sent in chunks, without a length. */
const streamOf = (text: string) => () => new Blob([text]).stream()

/** Memory knows the token `new` only after it was brought up to the database. */
function accountsAfterALook() {
  const newcomers = {
    looks: 0,
    accountByToken: (token: string) =>
      newcomers.looks > 0 && token === 'new' ? ACCOUNTS.get('good') : undefined,
    refresh: async () => {
      newcomers.looks += 1
    },
  }
  return newcomers
}

describeEngines('a token that memory does not know', ({ name: engine }) => {
  const known = ACCOUNTS.get('good')

  it('is looked for in the database before it is refused, once for all who come together', async () => {
    const newcomers = accountsAfterALook()
    const listener = await startListener({ engine, accounts: newcomers })
    const tokens = ['new', 'new', 'wrong', 'wrong']
    const answers = await Promise.all(
      tokens.map((token) => listener.post('{}', { query: `token=${token}` })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 400])
    expect(newcomers.looks).toBe(1)
    expect(await listener.stored()).toHaveLength(2)
    await listener.close()
  })

  it('is answered 500, try again, when the database does not answer', async () => {
    let isAway = false
    const listener = await startListener({
      engine,
      accounts: {
        accountByToken() {
          if (isAway) throw new Failure('database.unavailable')
          return undefined
        },
        refresh: () => {
          isAway = true
          return Promise.reject(new Failure('database.unavailable'))
        },
      },
    })
    expect(await listener.post('{}', { query: 'token=new' })).toMatchObject({ status: 500 })
    await listener.close()
  })

  it('is asked to repeat when many wait, and refused when the database was asked', async () => {
    let answer: () => void = () => undefined
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    const accounts = { accountByToken: () => undefined, refresh: () => answered }
    const listener = await startListener({ engine, accounts })
    let again = 0
    const send = () => listener.post('{}', { query: 'token=x' })
    const answers = Array.from({ length: 100 }, async () => {
      const { status, body, headers } = await send()
      if (status !== 500) return status
      again += 1
      expect(body.text).toBe('the token cannot be checked now')
      expect(headers.get('retry-after')).toBe('1')
      return status
    })
    await expect.poll(() => again, SOON).toBe(36)
    answer()
    expect((await Promise.all(answers)).filter((status) => status === 400)).toHaveLength(64)
    // Nobody's place was kept.
    for (let n = 0; n < 3; n += 1) expect((await send()).status).toBe(400)
    await listener.close()
  })

  it.each([
    ['a large body', `{"a":"${'x'.repeat(100_000)}"}`],
    ['a large body without length', streamOf(`{"a":"${'x'.repeat(100_000)}"}`)],
  ])('is asked to repeat with %s, and then taken or refused', async (_, body) => {
    const newcomers = accountsAfterALook()
    const listener = await startListener({ engine, accounts: newcomers })
    const send = async (token: string) => {
      const url = `${listener.url}${PATH}?token=${token}`
      const sent = typeof body === 'string' ? body : body()
      const init = { method: 'POST', body: sent, duplex: 'half' as const }
      return (await fetch(url, init)).status
    }
    expect([await send('new'), await send('wrong')]).toEqual([500, 500])
    await expect.poll(() => newcomers.looks, SOON).toBeGreaterThan(0)
    await expect.poll(() => send('wrong'), SOON).toBe(400)
    expect(await send('new')).toBe(200)
    await listener.close()
  })

  it('keeps the address of a sender that leaves before the database has answered', async () => {
    let answer: () => void = () => undefined
    let isAsked = false
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    const listener = await startListener({
      engine,
      accounts: {
        accountByToken: () => (isAsked ? known : undefined),
        refresh: () => {
          isAsked = true
          return answered
        },
      },
    })
    const socket = connect(listener.port, '127.0.0.1')
    socket.write(`POST ${PATH}?token=new HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}`)
    await expect.poll(() => isAsked, SOON).toBe(true)
    socket.destroy()
    await makeRoundTrips(20, `${listener.url}/other`)
    answer()
    await expect.poll(async () => (await listener.stored()).length, SOON).toBe(1)
    expect((await listener.stored())[0]?.peer).toBe('127.0.0.1')
    await listener.close()
  })
})
