// What a start says of the store at LOGEYE_STORE_URL: a real one, a wrong password, something else, nothing at all.
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkStore } from '../../infra/store/check-server.ts'
import { type EmbeddedStore, startEmbeddedStore } from '../support/embedded-store.ts'

let embedded: EmbeddedStore
let version: string | undefined
let other: Server
const otherUrl = () => {
  const address = other.address()
  return `http://u:secret-word@127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

beforeAll(async () => {
  embedded = await startEmbeddedStore({ shouldMigrate: false })
  other = createServer((request, response) => {
    request.resume()
    if (version === undefined) response.writeHead(404).end('not here')
    else response.end(`{"version":"${version}"}\n`)
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  other.close()
  await embedded.stop()
})

describe('the store by its address', () => {
  const withPassword = (password: string) => {
    const url = new URL(embedded.url)
    url.username = 'logeye'
    url.password = password
    return url.href
  }

  it('is taken when it answers', async () => {
    expect(await checkStore(withPassword(embedded.password))).toBe(true)
  })

  it.each([
    ['a wrong password', () => withPassword('wrong'), 'user or password is wrong'],
    ['something else', otherUrl, 'what answers there is no ClickHouse server'],
  ])('is refused in one line, without its password: %s', async (_, url, reason) => {
    const text = `the store at ${new URL(url()).host} cannot be used: ${reason}`
    await expect(checkStore(url())).rejects.toThrow(text)
  })

  it.each([
    ['25.11.2.24', false],
    ['24.8.1.1', false],
    ['25.12.1.1', true],
    ['26.7.1.1', true],
  ])('of version %s is taken: %s', async (found, isTaken) => {
    version = found
    const checked = checkStore(otherUrl())
    if (isTaken) expect(await checked).toBe(true)
    else await expect(checked).rejects.toThrow(`it is ClickHouse ${found}, 25.12 is the oldest`)
    version = undefined
  })

  it('is waited for when nothing answers there', async () => {
    expect(await checkStore('http://127.0.0.1:1')).toBe(false)
  })
})
