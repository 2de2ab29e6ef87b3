import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAddress, type Reach } from '../../../../infra/outbound/find-address.ts'
import { isPublicAddress } from '../../../../infra/outbound/public-addresses.ts'
import { sendRequest } from '../../../../infra/outbound/request.ts'
import { series } from '../../../support/run/tier.ts'

const NONE = 'it is no address of the public internet'
const never = new AbortController().signal
const answering = (...addresses: string[]): Reach => ({
  to: 'public',
  lookup: async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
})

describe('the guard of addresses that others give', () => {
  it.each([
    ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255'],
    ...['192.168.1.1', '100.64.0.1', '100.100.100.200', '169.254.169.254', '168.63.129.16'],
    ...['192.0.0.192', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '192.88.99.1'],
    ...['224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12:3456::1', 'fd00:ec2::254'],
    ...['ff02::1', 'fec0::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::8.8.8.8'],
    ...['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1', '2002:7f00:1::', '2001::1'],
    ...['2001:db8::1', '2001:20::1', '3fff::1', '100::1', '5f00::1', '2001:4860::8888%eth0'],
  ])('refuses %s, as an address and as the answer of a name service', async (address) => {
    await expect(findAddress(address, never, { to: 'public' })).rejects.toThrow(NONE)
    await expect(findAddress(`[${address}]`, never, { to: 'public' })).rejects.toThrow(NONE)
    await expect(findAddress('a.test', never, answering(address))).rejects.toThrow(NONE)
    const mixed = answering('8.8.8.8', address)
    await expect(findAddress('a.test', never, mixed)).rejects.toThrow(NONE)
  })

  it.each(['8.8.8.8', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:4700::1111'])(
    'lets %s through',
    async (address) => {
      expect((await findAddress(address, never, { to: 'public' })).address).toBe(address)
      expect((await findAddress('a.test', never, answering(address))).address).toBe(address)
    },
  )

  it('reads each spelling of an address as the browser does', async () => {
    const spellings = [
      ...['2130706433', '017700000001', '0x7f000001', '0x7f.1', '127.1', '127.0.1', '0177.0.0.1'],
      ...['127.0.0.1.', '①②⑦.⓪.⓪.①', '%31%32%37.0.0.1', '[::ffff:127.0.0.1]', '[::1]'],
      ...['[0:0:0:0:0:ffff:a9fe:a9fe]', '2852039166', '3232235777', '192.168.257'],
    ]
    for (const spelling of spellings) {
      const { hostname } = new URL(`https://${spelling}/`)
      const found = findAddress(hostname, never, { to: 'public' })
      await expect(found, spelling).rejects.toThrow(NONE)
    }
  })

  it('says of a name that is not there what it says of an inner one', async () => {
    const failing: Reach = { to: 'public', lookup: () => Promise.reject(new Error('ENOTFOUND')) }
    await expect(findAddress('a.test', never, failing)).rejects.toThrow(NONE)
  })

  it('judges IPv4 as the registry of special addresses does', () => {
    const ranges = [
      ...[
        [0, 8],
        [10, 8],
        [127, 8],
        [0x6440_0000, 10],
        [0xa9fe_0000, 16],
        [0xac10_0000, 12],
      ],
      ...[
        [0xc000_0000, 24],
        [0xc000_0200, 24],
        [0xc01f_c400, 24],
        [0xc034_c100, 24],
      ],
      ...[
        [0xc058_6300, 24],
        [0xc0a8_0000, 16],
        [0xc0af_3000, 24],
        [0xc612_0000, 15],
      ],
      ...[
        [0xc633_6400, 24],
        [0xcb00_7100, 24],
        [0xe000_0000, 3],
        [0xa83f_8110, 32],
      ],
    ].map(([net = 0, bits = 0]) => {
      const from = net < 256 ? net * 2 ** 24 : net
      return [from, from + 2 ** (32 - bits) - 1] as const
    })
    const edges = ranges.flatMap(([from, to]) => [from - 1, from, to, to + 1])
    const near = fc.constantFrom(...edges.filter((it) => it >= 0 && it < 2 ** 32))
    const any = fc.integer({ min: 0, max: 2 ** 32 - 1 })
    fc.assert(
      fc.property(fc.oneof(near, any), (value) => {
        const address = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
        const isSpecial = ranges.some(([from, to]) => from <= value && value <= to)
        expect(isPublicAddress(address), address).toBe(!isSpecial)
        const hex = `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`
        for (const form of [`::ffff:${hex}`, `::${hex}`, `64:ff9b::${hex}`, `2002:${hex}::`])
          expect(isPublicAddress(form), form).toBe(false)
      }),
      { numRuns: series(500, 3000) },
    )
  })
})

describe('a request to the outside', () => {
  const stops: (() => void)[] = []
  let first: string
  let second: string
  let port: number
  let answer: RequestListener = (_, response) => response.end('first')
  const asked: string[] = []

  beforeAll(async () => {
    const start = async (host: string, at: number, listener: RequestListener) => {
      const server = createServer(listener).listen(at, host)
      await once(server, 'listening')
      stops.push(() => {
        server.closeAllConnections()
        server.close()
      })
      return (server.address() as AddressInfo).port
    }
    first = '127.0.0.2'
    second = '127.0.0.1'
    port = await start(first, 0, (request, response) => {
      asked.push(`first ${request.method} ${request.url} ${request.headers.host}`)
      answer(request, response)
    })
    await start(second, port, (_, response) => {
      asked.push('second')
      response.end('second')
    })
  })
  afterAll(() => {
    for (const stop of stops) stop()
  })

  const send = (more: object = {}, signal: AbortSignal = never) =>
    sendRequest({
      ...{ url: new URL(`http://hook.test:${port}/in`), headers: {}, certificate: '' },
      ...{ maxBytes: 1000, isCut: true, body: '{}', signal },
      reach: { to: 'inner', lookup: async () => [{ address: first, family: 4 }] },
      ...more,
    })

  it('connects to the address that was judged, whatever the name means later', async () => {
    let lookups = 0
    const lookup = async () => {
      lookups += 1
      return [{ address: lookups === 1 ? first : second, family: 4 }]
    }
    asked.length = 0
    expect((await send({ reach: { to: 'inner', lookup } })).body).toBe('first')
    expect([lookups, asked]).toEqual([1, [`first POST /in hook.test:${port}`]])
  })

  it('connects to nothing when one answer is public and another is not', async () => {
    asked.length = 0
    const reach = answering('127.0.0.2')
    await expect(send({ reach })).rejects.toThrow(NONE)
    await expect(send({ reach: answering('8.8.8.8', second) })).rejects.toThrow(NONE)
    expect(asked).toEqual([])
  })

  it('follows no redirect', async () => {
    asked.length = 0
    answer = (_, response) =>
      response.writeHead(307, { location: `http://${second}:${port}/` }).end()
    expect((await send()).status).toBe(307)
    expect(asked).toHaveLength(1)
  })

  it('reads no more of an answer than asked for, and refuses what is too large else', async () => {
    answer = (_, response) => {
      const more = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', more)
      }
      response.on('error', () => {})
      more()
    }
    const cut = await send()
    expect([cut.status, cut.body.length]).toEqual([200, 1000])
    await expect(send({ isCut: false })).rejects.toThrow('its answer is too large')
  })

  it('ends in time when the other side does not', async () => {
    answer = () => {}
    await expect(send({}, AbortSignal.timeout(100))).rejects.toThrow()
    answer = (_, response) => {
      response.writeHead(200).write('begun')
    }
    await expect(send({}, AbortSignal.timeout(100))).rejects.toThrow()
    const stuck: Reach = { to: 'public', lookup: () => new Promise(() => {}) }
    await expect(send({ reach: stuck }, AbortSignal.timeout(100))).rejects.toThrow()
  })

  it('fails with what is no HTTP, and with heads without end', async () => {
    answer = (request) => request.socket.end('hello\r\n\r\n')
    await expect(send()).rejects.toThrow('Parse Error')
    answer = (request) => request.socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`)
    await expect(send()).rejects.toThrow('Header overflow')
  })
})
