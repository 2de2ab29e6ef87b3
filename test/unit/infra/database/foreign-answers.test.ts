// A server that is no PostgreSQL, or means harm: each answer ends the connection, not the process.
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { tryForeignDatabase } from '../../../../infra/database/foreign/postgres-rows.ts'

const SIGNED_IN = Buffer.concat([message('R', [0, 0, 0, 0]), message('Z', 'I')])
const COLUMN = message('T', ['\0\x01', 'server_version\0', '\0'.repeat(18)].join(''))
const VERSION = Buffer.concat([
  COLUMN,
  ...[message('D', '\0\x01\0\0\0\x019'), message('C', 'SHOW\0'), message('Z', 'I')],
])
const BROKEN = 'it does not answer as PostgreSQL does'

let server: Server | undefined
afterEach(() => server?.close())

it.each([
  ['bytes of no kind', Buffer.alloc(5, 'D'), 'its answer is too large'],
  ['a length below four', Buffer.from('R\0\0\0\0'), BROKEN],
  ['a message of two gigabytes', Buffer.from('R\x7f\xff\xff\xff', 'latin1'), 'too large'],
  ['a way to sign in that ends early', message('R', [0]), BROKEN],
  ['an unknown way to sign in', message('R', [0, 0, 0, 99]), BROKEN],
  ['an error without an end', message('E', 'Mfoo'), BROKEN],
  ['an error without its last zero', message('E', 'Mfoo\0'), BROKEN],
  ['an empty notice', message('N', ''), BROKEN],
])('refuses at the sign-in %s', async (_, answer, reason) => {
  const target = await listen([answer])
  await expect(tryForeignDatabase(target, signal())).rejects.toThrow(reason)
})

it.each([
  ['a row that ends early', Buffer.concat([COLUMN, message('D', [0, 5])]), BROKEN],
  ['fewer columns than it counts', message('T', [0xff, 0xff]), BROKEN],
  ['a parameter list that ends early', message('t', [0, 9]), BROKEN],
  ['rows without an end', rowsWithoutEnd(), 'its answer is too large'],
])('refuses after a statement %s', async (_, answer, reason) => {
  const target = await listen([SIGNED_IN, answer])
  await expect(tryForeignDatabase(target, signal())).rejects.toThrow(reason)
})

it('reads messages in pieces of any size, and leaves a server that keeps its end open', async () => {
  const target = await listen([SIGNED_IN, VERSION], true)
  await expect(tryForeignDatabase(target, signal())).resolves.toBe('9')
})

it('leaves a server that says nothing when the signal says so', async () => {
  const target = await listen([SIGNED_IN])
  const leave = new AbortController()
  const asked = tryForeignDatabase(target, leave.signal)
  await once(server ?? expect.fail(), 'asked')
  leave.abort()
  await expect(asked).rejects.toThrow()
})

/** Gives one of the answers for each message that it gets, then none. */
async function listen(answers: readonly Buffer[], inBytes = false) {
  const own = createServer({ allowHalfOpen: true }, (socket) => {
    const left = [...answers]
    socket.on('error', () => undefined)
    socket.on('data', () => {
      const answer = left.shift()
      if (answer === undefined) own.emit('asked')
      else if (!inBytes) socket.write(answer)
      else for (const byte of answer) socket.write(Buffer.of(byte))
    })
  })
  server = own.listen(0, '127.0.0.1')
  await once(own, 'listening')
  const address = own.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    ...{ host: '127.0.0.1', port, database: 'shop', userName: 'reader', password: 'p' },
    ...{ isTls: false, certificate: '' },
  }
}

function signal(): AbortSignal {
  return new AbortController().signal
}

function rowsWithoutEnd(): Buffer {
  const row = message('D', [0, 1, 0xff, 0xff, 0xff, 0xff])
  return Buffer.concat([COLUMN, ...Array.from({ length: 100_001 }, () => row)])
}

function message(kind: string, body: string | readonly number[]): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : Buffer.from(body)
  const head = Buffer.alloc(5)
  head.write(kind)
  head.writeInt32BE(bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}
