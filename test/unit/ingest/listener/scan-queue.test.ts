import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Scanned } from '../../../../ingest/listener/scan/scan.ts'
import { type BodyScanner, ScanQueue } from '../../../../ingest/listener/scan/scan-queue.ts'

const RESULT: Scanned = { kind: 'events', ranges: new Uint32Array(), rejections: [] }

/** Of a body that takes so many slices. */
function makeScanner(slices: number, run: () => void = () => undefined): BodyScanner {
  let left = slices
  return {
    run() {
      run()
      left -= 1
      return left === 0
    },
    result: () => RESULT,
  }
}

function fail(): never {
  throw new Error('a bug')
}

function start() {
  const queue = new ScanQueue()
  const ended: string[] = []
  const add = (name: string, scanner: BodyScanner, done: () => void = () => undefined) =>
    queue.add(scanner, {
      done: () => {
        done()
        ended.push(name)
      },
      fail: (error) => ended.push(`${name}: ${error instanceof Error ? error.message : ''}`),
    })
  return { add, ended }
}

async function settle(): Promise<void> {
  for (let turns = 0; turns < 12; turns += 1) await turn()
}

describe('the queue of scans', () => {
  it('ends bodies in the order in which they came', async () => {
    const { add, ended } = start()
    add('a', makeScanner(3))
    add('b', makeScanner(1))
    expect(ended).toEqual([])
    await settle()
    expect(ended).toEqual(['a', 'b'])
  })

  it('fails a body whose scan throws, alone', async () => {
    const { add, ended } = start()
    add('a', makeScanner(3, fail))
    add('b', makeScanner(2))
    await settle()
    expect(ended).toEqual(['a: a bug', 'b'])
    add('c', makeScanner(1))
    await settle()
    expect(ended).toEqual(['a: a bug', 'b', 'c'])
  })

  it('fails a body whose result is not taken, alone', async () => {
    const { add, ended } = start()
    add('a', makeScanner(1), fail)
    add('b', makeScanner(1))
    await settle()
    expect(ended).toEqual(['a: a bug', 'b'])
  })
})
