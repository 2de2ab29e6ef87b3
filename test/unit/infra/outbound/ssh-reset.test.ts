// A machine that resets the connection while the private key is read in its thread.
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { trySsh } from '../../../../infra/outbound/ssh.ts'

it('is reported as a connection that was cut off, and ends no process', async () => {
  // Once this side is connected: two turns of the event loop are far less than a key takes.
  const reset = (socket: Socket) => setImmediate(() => setImmediate(() => socket.resetAndDestroy()))
  const server = createServer(reset).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const target = {
    ...{ host: '127.0.0.1', port, userName: 'user', hostKey: '' },
    ...{ password: undefined, privateKey, passphrase: undefined },
  }
  const seen = await trySsh(target, AbortSignal.timeout(10_000))
  server.close()
  expect(seen).toEqual({ failed: 'the connection was cut off' })
})
