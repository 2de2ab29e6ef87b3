import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../../infra/clock.ts'
import { SecretUrl } from '../../../../infra/secret-url.ts'
import { findFreePort } from '../../../../infra/supervisor/free-port.ts'
import { planStore } from '../../../../infra/supervisor/plan-store.ts'
import { PROCESSES, type Role } from '../../../../infra/supervisor/processes.ts'

const ALL = PROCESSES.all.roles
const PASSWORD = 'p%40ss-word-0123456789'

const plan = (roles: readonly Role[], url?: string) =>
  planStore(
    { roles: [...roles], storeUrl: url === undefined ? undefined : new SecretUrl(url) },
    systemClock,
  )

describe('the store process of a start', () => {
  it('is embedded without an address: on loopback, with a password that nobody knows', async () => {
    const one = await plan(ALL)
    const other = await plan(ALL)
    expect(one).toMatchObject({ address: '127.0.0.1', password: expect.stringMatching(/^\w{48}$/) })
    expect(one?.password).not.toBe(other?.password)
  })

  it('is not there with an address, or without the role', async () => {
    expect(await plan(ALL, 'http://10.0.0.1:8123')).toBeUndefined()
    expect(await plan(['listener', 'query'])).toBeUndefined()
  })

  it('is at its address when it is all there is to start', async () => {
    const port = await findFreePort(systemClock)
    expect(await plan(['store'], `http://logeye:${PASSWORD}@127.0.0.1:${port}`)).toEqual({
      address: '127.0.0.1',
      port,
      password: 'p@ss-word-0123456789',
    })
  })

  it.each([
    ['http://127.0.0.1:21999', 'LOGEYE_STORE_URL: the role store needs a password'],
    ['http://a:short@127.0.0.1:21999', 'LOGEYE_STORE_URL: the role store needs a password'],
    [`https://a:${PASSWORD}@127.0.0.1:21999`, 'LOGEYE_STORE_URL: the role store speaks http'],
  ])('is refused in one line: %s', async (url, reason) => {
    await expect(plan(['store'], url)).rejects.toThrow(reason)
  })

  it('is refused where its port is taken', async () => {
    const holder = createServer()
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
    const address = holder.address()
    const port = typeof address === 'object' ? address?.port : 0
    const refused = plan(['store'], `http://a:${PASSWORD}@127.0.0.1:${port}`)
    await expect(refused).rejects.toThrow('LOGEYE_STORE_URL')
    holder.close()
  })
})
