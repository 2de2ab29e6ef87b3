// Which engine serves, and the one line for an engine that cannot (LOGEYE_HTTP_ENGINE).
import { expect, it } from 'vitest'
import { chooseHttpEngine, describeEngine } from '../../../infra/http/engine.ts'
import { canSharePort } from '../../../infra/http/node/listen.ts'
import { parseProxyHeader } from '../../../infra/http/node/proxy-header.ts'

it('serves by node:http when that is asked for, and does not call it a fallback', async () => {
  const engine = await chooseHttpEngine({ engine: 'node', frontProcesses: 1 })
  expect(engine).toMatchObject({ name: 'node', isFallback: false })
  expect(describeEngine(engine)).toBe('node:http')
})

it('says why it falls back, what that costs, and how to have the quick one', () => {
  const open = () => Promise.reject(new Error('not opened'))
  const line = describeEngine({ name: 'node', isFallback: true, open })
  expect(line).toContain(`no binary for Node ${process.versions.node} on ${process.platform}`)
  expect(line).toContain('half as much CPU again')
  expect(line).toContain('Node 22 has the faster one')
})

it('takes uWebSockets.js where it loads; asked for where it does not, refuses with one line', async () => {
  const chosen = await chooseHttpEngine({ frontProcesses: 1 })
  const asked = chooseHttpEngine({ engine: 'uws', frontProcesses: 1 })
  if (chosen.name === 'uws') expect((await asked).name).toBe('uws')
  else {
    expect(chosen.isFallback).toBe(true)
    await expect(asked).rejects.toMatchObject({ code: 'start.refused' })
    await expect(asked).rejects.toThrow(/^[^\n]*has no binary for Node[^\n]*$/)
  }
})

it('refuses several fronts on node:http where Node cannot share a port', async () => {
  expect(['20.20.2', '22.11.0', '23.0.0'].filter(canSharePort)).toEqual([])
  expect(['22.12.0', '23.1.0', '24.0.0', '26.1.0'].every(canSharePort)).toBe(true)
  const several = chooseHttpEngine({ engine: 'node', frontProcesses: 2 })
  if (canSharePort()) expect((await several).name).toBe('node')
  else await expect(several).rejects.toThrow('needs Node 22.12')
})

it.each([
  [
    'IPv4',
    '2111000c 09080706 7f000001 01010202',
    { kind: 'header', address: '9.8.7.6', bytes: 28 },
  ],
  [
    'IPv6',
    `21210024 20010db8${'00'.repeat(11)}01 ${'00'.repeat(16)} 01010202`,
    { kind: 'header', address: '2001:db8::1', bytes: 52 },
  ],
  ['a proxy that speaks for itself', '20000000', { kind: 'header', address: '', bytes: 16 }],
  ['a header that is not whole', '2111000c 0908', { kind: 'more' }],
  ['another version', '3111000c 09080706 7f000001 01010202', { kind: 'broken' }],
  ['addresses that are too short', '21110004 09080706', { kind: 'broken' }],
  ['a length above any header', '2111ffff', { kind: 'broken' }],
])('reads a PROXY header: %s', (_, hex, expected) => {
  const signature = '0d0a0d0a000d0a515549540a'
  const bytes = Buffer.from(`${signature}${hex.replaceAll(' ', '')}`, 'hex')
  expect(parseProxyHeader(bytes)).toEqual(expected)
})

it('leaves what is no PROXY header alone', () => {
  expect(parseProxyHeader(Buffer.from('POST / HTTP/1.1\r\n'))).toEqual({ kind: 'none' })
  expect(parseProxyHeader(Buffer.from('\r\nGET /'))).toEqual({ kind: 'none' })
})
