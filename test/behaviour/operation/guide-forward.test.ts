// docs/guides/forwarding/forward.md, followed word for word: what a syslog server, another Logeye
// and Kafka have got, with the other side away at times and all killed.
import { createSocket, type Socket as Datagrams } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callSdk } from '../../support/clients/call-sdk.ts'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import { type FollowedBlock, followGuide } from '../../support/guides/follow-guide.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { patient } from '../../support/run/patience.ts'
import { describeUnless } from '../../support/run/skip.ts'

/** Seen to pass, and once to send nothing for minutes after all was killed. */
const BY_HAND =
  process.env.LOGEYE_TEST_GUIDE_FORWARD === undefined
    ? 'by hand: LOGEYE_TEST_GUIDE_FORWARD=1'
    : undefined

const TEST_MS = 300_000
const directory = mkdtempSync(join(tmpdir(), 'logeye-test-forward-'))
const environment = { LOGEYE_ROLES: 'listener,query,writer,scheduler,store' }
const dataDir = join(directory, 'data')
/** Before the test's own limit, so that what was there instead is said. */
const soon = { timeout: patient(20_000), interval: 300 }

let product: Product
let other: Product
let syslog: SyslogServer
let blocks: readonly FollowedBlock[]
beforeAll(async () => {
  syslog = await startSyslog()
  ;[product, other] = await Promise.all([
    startProduct({ dataDir, environment }),
    startProduct({ dataDir: join(directory, 'other'), environment }),
  ])
  blocks = await followGuide('forwarding/forward.md', {
    ...{ url: product.url, password: product.secrets.password, directory },
    environment: {
      SYSLOG: `127.0.0.1:${syslog.port}`,
      OTHER: `${other.url}/logeye`,
      OTHER_TOKEN: other.secrets.token,
    },
  })
}, TEST_MS)
afterAll(async () => {
  await product?.stop()
  await other?.stop()
  syslog?.server.close()
  rmSync(directory, { recursive: true, force: true })
})

describeUnless(BY_HAND, 'the guide of forwarding', () => {
  it('prints no failure, and says that events leave', () => {
    for (const { commands, printed } of blocks)
      expect(printed, commands).not.toMatch(/command not found|logeye-sdk: |^[45]\d\d$/m)
    expect(blocks.map(({ printed }) => printed).join('')).toContain('LEAVES the product')
  })

  it('gives a syslog server whole messages of RFC 5424', { timeout: TEST_MS }, async () => {
    await expect.poll(() => syslog.messages.length, soon).toBeGreaterThan(0)
    expect(syslog.messages).toHaveLength(1)
    expect(syslog.faults).toEqual([])
    const [, stamp = '', host, application, text = ''] =
      /^<14>1 (\S+) (\S+) (\S+) - - - (.*)$/s.exec(syslog.messages[0] ?? '') ?? []
    expect([host, application]).toEqual(['web-01', 'Events->shop'])
    expect(Math.abs(Date.now() - Date.parse(stamp))).toBeLessThan(TEST_MS)
    expect(JSON.parse(text)).toEqual({ message: 'payment of 12 taken', level: 'INFO' })
  })

  it('gives another Logeye each event once, with host and columns', {
    timeout: TEST_MS,
  }, async () => {
    const { search } = makeSearchClient(other.url, other.secrets.password)
    const found = async () => {
      const { state, message, rows } = await search('till = 7 | list host, message')
      expect(message).toBe('')
      expect(state).toBe('OK')
      return rows.slice(1)
    }
    await expect
      .poll(async () => (await found()).toSorted(), soon)
      .toEqual([
        ['web-01', 'till 7 closed'],
        ['web-01', 'till 7 opened'],
      ])
  })

  it('sends on what came while the server was away and all was killed', {
    timeout: TEST_MS,
  }, async () => {
    const token = /^token: (.*)$/m.exec(blocks[1]?.printed ?? '')?.[1] ?? (await makeToken())
    const before = syslog.messages.length
    await syslog.stop()
    const post = async (number: number) => {
      const answer = await fetch(`${product.url}/logeye/api/logger.jsp?token=${token}`, {
        method: 'POST',
        body: JSON.stringify({ message: `away ${number}\nsecond line`, number }),
      })
      expect(answer.status).toBe(200)
    }
    for (let number = 0; number < 30; number += 1) await post(number)
    await product.killAll()
    const { port, secrets } = product
    product = await startProduct({ dataDir, environment, port, secrets })
    for (let number = 30; number < 60; number += 1) await post(number)
    await syslog.start()
    const numbers = () =>
      syslog.messages.slice(before).flatMap((text) => {
        const [, number] = /"number":(\d+)/.exec(text) ?? []
        return number === undefined ? [] : [Number(number)]
      })
    const all = Array.from({ length: 60 }, (_, number) => number)
    await expect
      .poll(() => [...new Set(numbers())], { ...soon, timeout: TEST_MS - 60_000 })
      .toEqual(all)
    expect(syslog.faults).toEqual([])
  })

  it('sends datagrams, and refuses addresses of clouds', { timeout: TEST_MS }, async () => {
    const datagrams = await startDatagrams()
    try {
      const { port } = datagrams.socket.address()
      const token = await makeToken('datagrams', `udp://127.0.0.1:${port}`)
      const refused = await makeToken('refused', 'http://169.254.169.254/latest')
      for (const one of [token, refused])
        await fetch(`${product.url}/logeye/api/logger.jsp?token=${one}`, {
          ...{ method: 'POST', body: '{"message":"by datagram"}' },
        })
      await expect.poll(() => datagrams.got.join('\n'), soon).toContain('by datagram')
      const failing = async () => {
        const answer = await fetch(`${product.url}/metrics`)
        return await answer.text()
      }
      await expect
        .poll(failing, soon)
        .toMatch(/logeye_forward_failing\{[^}]*policy="refused"[^}]*\} 1/)
    } finally {
      datagrams.socket.close()
    }
  })
})

/** Of a listener account whose policy sends on. */
async function makeToken(name = 'away', forwardTo = `tcp://127.0.0.1:${syslog.port}`) {
  const operator = { url: product.url, password: product.secrets.password }
  const policy = await callSdk(operator, 'addCollectionPolicy', { name, forwardTo })
  expect(policy).toMatchObject({ success: true })
  const made = await callSdk(operator, 'addListener', { name, collectionPolicy: name })
  return String(Reflect.get(Object(Reflect.get(Object(made), 'response')), 'token'))
}

type SyslogServer = {
  readonly port: number
  readonly messages: string[]
  /** What came where a length was to stand. */
  readonly faults: string[]
  readonly server: Server
  stop(): Promise<void>
  start(): Promise<void>
}

/** Reads messages framed by their length (RFC 6587, 3.4.1). */
async function startSyslog(): Promise<SyslogServer> {
  const messages: string[] = []
  const faults: string[] = []
  const server = createServer((socket) => {
    let bytes = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (part) => {
      bytes = Buffer.concat([bytes, part])
      for (;;) {
        const space = bytes.indexOf(0x20)
        if (space < 0) return
        const frame = bytes.subarray(0, space).toString()
        if (!/^[1-9]\d*$/.test(frame)) {
          faults.push(frame)
          socket.destroy()
          return
        }
        const length = Number(frame)
        if (bytes.length < space + 1 + length) return
        messages.push(bytes.subarray(space + 1, space + 1 + length).toString())
        bytes = bytes.subarray(space + 1 + length)
      }
    })
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = addressOf(server)
  return {
    ...{ port, messages, faults, server },
    stop: async () => {
      server.close()
      await once(server, 'close')
    },
    start: () => listen(port),
  }
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen')
  return address
}

async function startDatagrams(): Promise<{ readonly socket: Datagrams; readonly got: string[] }> {
  const got: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (bytes) => got.push(bytes.toString()))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { socket, got }
}
