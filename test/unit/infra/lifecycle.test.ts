import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Lifecycle } from '../../../infra/lifecycle.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { makeManualClock } from '../../support/run/manual-clock.ts'

function make() {
  const lines: string[] = []
  const clock = makeManualClock()
  const write = (line: string) => void lines.push(line)
  const logger = makeLogger({ level: 'debug', process: 'test', clock, write })
  return { lifecycle: new Lifecycle(clock, logger), lines, clock }
}

describe('a lifecycle', () => {
  it('stops in reverse order, one after the other, once', async () => {
    const { lifecycle } = make()
    const seen: string[] = []
    for (const name of ['engine', 'role', 'door'])
      lifecycle.add(name, async () => {
        seen.push(`${name} begins`)
        await setImmediate()
        seen.push(`${name} ends`)
      })
    await Promise.all([lifecycle.stop(), lifecycle.stop()])
    expect(seen).toEqual([
      'door begins',
      'door ends',
      'role begins',
      'role ends',
      'engine begins',
      'engine ends',
    ])
  })

  it('goes on after a part that hangs or fails, and says which', async () => {
    const { lifecycle, lines, clock } = make()
    const seen: string[] = []
    lifecycle.add('engine', () => void seen.push('engine'))
    lifecycle.add('failing', () => Promise.reject(new Error('planted')))
    lifecycle.add('hanging', () => new Promise(() => undefined), 20)
    const stopping = lifecycle.stop()
    await setImmediate()
    clock.advance(19)
    await setImmediate()
    expect([seen, lines.join()]).toEqual([[], expect.not.stringContaining('took too long')])
    clock.advance(1)
    await stopping
    expect(seen).toEqual(['engine'])
    expect(lines.join()).toMatch(/stop took too long.*hanging.*stop failed.*failing/s)
  })

  it('asks for a limit when the stop begins', async () => {
    const { lifecycle, lines, clock } = make()
    let limitMs = 60_000
    lifecycle.add(
      'hanging',
      () => new Promise(() => undefined),
      () => limitMs,
    )
    limitMs = 20
    const stopping = lifecycle.stop()
    await setImmediate()
    clock.advance(20)
    await stopping
    expect(lines.join()).toMatch(/stop took too long.*hanging/s)
  })

  it('stops at once what is opened after the stop has begun', async () => {
    const { lifecycle } = make()
    const seen: string[] = []
    const stopped = lifecycle.stop()
    lifecycle.add('late', () => void seen.push('late'))
    await stopped
    await lifecycle.stop()
    expect(seen).toEqual(['late'])
  })
})
