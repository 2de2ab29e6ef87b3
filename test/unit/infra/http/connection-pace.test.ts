// How long a connection waits for a body that comes slowly, on a clock of the test.
import type { IncomingMessage } from 'node:http'
import { IncomingMessage as Message, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { Connection } from '../../../../infra/http/node/connection.ts'

/** Seconds until a body that brings so many bytes in each piece is given up; undefined: it is not,
 *  within ten minutes. */
function secondsOf(bytesOfPiece: number, everySeconds: number): number | undefined {
  const socket = new Socket()
  const request: IncomingMessage = new Message(socket)
  const connection = new Connection(socket, '192.0.2.1', '')
  let endedAt: number | undefined
  let second = 0
  let receivedBytes = 0
  connection.enter({
    isWhole: false,
    get receivedBytes() {
      return receivedBytes
    },
    response: new ServerResponse(request),
    endsWithClient: true,
    abort: () => {
      endedAt ??= second
    },
  })
  for (; second <= 600 && endedAt === undefined; second += 1) {
    if (second % everySeconds === 0) receivedBytes += bytesOfPiece
    connection.checkTime(second * 1000)
  }
  expect(connection.isRefused).toBe(endedAt !== undefined)
  socket.destroy()
  return endedAt
}

it('a body in drops is given up after two minutes, a silent one after some seconds', () => {
  expect(secondsOf(1, 1)).toBe(121)
  expect(secondsOf(100, 2)).toBe(121)
  expect(secondsOf(0, 1)).toBe(13)
  expect(secondsOf(5_000_000, 30)).toBe(13)
})

it('a slow line that brings a kilobyte a second is none', () => {
  expect(secondsOf(1100, 1)).toBeUndefined()
  expect(secondsOf(12_000, 10)).toBeUndefined()
})
