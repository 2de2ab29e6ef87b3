import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../infra/clock.ts'
import { Lifecycle } from '../../../infra/lifecycle.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { patient } from '../../support/run/patience.ts'

function make() {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const logger = makeLogger({ level: 'debug', process: 'test', clock: systemClock, write })
  return { lifecycle: new Lifecycle(systemClock, logger), lines }
}

describe('a lifecycle', () => {
  it('stops in reverse order, one after the other, once', async () => {
    const { lifecycle } = make()
    const seen: string[] = []
    for (const name of ['engine', 'role', 'door'])
      lifecycle.add(name, async () => {
        seen.push(`${name} begins`)
        await systemClock.sleep(2)
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
    const { lifecycle, lines } = make()
    const seen: string[] = []
    lifecycle.add('engine', () => void seen.push('engine'))
    lifecycle.add('failing', () => Promise.reject(new Error('planted')))
    lifecycle.add('hanging', () => new Promise(() => undefined), 20)
    const begin = systemClock.elapsedMs()
    await lifecycle.stop()
    expect(systemClock.elapsedMs() - begin).toBeLessThan(patient(500))
    expect(seen).toEqual(['engine'])
    expect(lines.join()).toMatch(/stop took too long.*hanging.*stop failed.*failing/s)
  })

  it('asks for a limit when the stop begins', async () => {
    const { lifecycle, lines } = make()
    let limitMs = 60_000
    lifecycle.add(
      'hanging',
      () => new Promise(() => undefined),
      () => limitMs,
    )
    limitMs = 20
    await lifecycle.stop()
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
