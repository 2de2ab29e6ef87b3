// A live tail as a program reads it: the numbers of its events in order of arrival, with a pace and
// a will to come back.
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Product } from '../../test/support/product/product.ts'

export type TailReading = {
  readonly name: string
  /** A pause after each so many bytes; absent: reads at once. */
  readonly slow?: { readonly everyBytes: number; readonly ms: number }
  /** Leaves and comes back with Last-Event-ID; absent: only when the connection ends. */
  readonly leaveEveryMs?: number
}

export type TailReader = {
  readonly name: string
  readonly numbers: readonly number[]
  /** Milliseconds from sending to reading, by number; of the moment when it is asked for. */
  readonly delaysMs: readonly number[]
  readonly connections: () => number
  readonly errors: readonly string[]
  stop(): void
}

/** `sentMs`: when the event of this number was sent. */
export function readTail(
  product: Product,
  query: string,
  reading: TailReading,
  sentMs: (number: number) => number | undefined,
): TailReader {
  const numbers: number[] = []
  const delaysMs: number[] = []
  const errors: string[] = []
  let connections = 0
  let lastId = ''
  let isOver = false
  let current: IncomingMessage | undefined

  async function readOnce(): Promise<void> {
    const answer = await open(product, query, lastId)
    current = answer
    if (answer.statusCode !== 200) {
      answer.resume()
      throw new Error(`${answer.statusCode}`)
    }
    connections += 1
    const leave = reading.leaveEveryMs
    const timer = leave === undefined ? undefined : setTimeout(() => answer.destroy(), leave)
    try {
      let [rest, unpaused] = ['', 0]
      answer.setEncoding('utf8')
      for await (const chunk of answer) {
        const messages = (rest + chunk).split('\n\n')
        rest = messages.pop() ?? ''
        for (const message of messages) take(message)
        unpaused += chunk.length
        if (reading.slow !== undefined && unpaused > reading.slow.everyBytes) {
          unpaused = 0
          await sleep(reading.slow.ms)
        }
      }
    } finally {
      clearTimeout(timer)
    }
  }

  function take(message: string): void {
    const id = /^id: ?(.*)$/m.exec(message)?.[1]
    const data = /^data: ?(.*)$/m.exec(message)?.[1]
    if (/^event: ?error$/m.test(message)) errors.push(data ?? '')
    else if (data !== undefined) {
      const number = Number(/"n":"(\d+)"/.exec(data)?.[1])
      const sent = sentMs(number)
      numbers.push(number)
      if (sent !== undefined) delaysMs.push(performance.now() - sent)
    }
    if (id !== undefined) lastId = id
  }

  async function readForever(): Promise<void> {
    while (!isOver) {
      await readOnce().catch(() => undefined)
      if (!isOver) await sleep(20)
    }
  }

  void readForever()
  return {
    name: reading.name,
    numbers,
    delaysMs,
    errors,
    connections: () => connections,
    stop: () => {
      isOver = true
      current?.destroy()
    },
  }
}

function open({ url, secrets }: Product, query: string, lastId: string): Promise<IncomingMessage> {
  const pair = Buffer.from(`admin:${secrets.password}`).toString('base64')
  const headers: Record<string, string> = { authorization: `Basic ${pair}` }
  if (lastId !== '') headers['last-event-id'] = lastId
  return new Promise((resolve, reject) => {
    const address = `${url}/logeye/api/search/tail?${new URLSearchParams({ query })}`
    get(address, { headers, agent: false }, resolve).on('error', reject)
  })
}
