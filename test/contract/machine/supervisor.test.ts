// The supervisor with fake roles: real processes, real signals.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { lockDataDir } from '../../../infra/supervisor/data-dir-lock.ts'
import { claimPort, findFreePort } from '../../../infra/supervisor/free-port.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

const script = fileURLToPath(
  new URL('../../support/supervisor/fake-supervisor.ts', import.meta.url),
)

type Line = {
  reports?: { process: string; ready: Record<string, boolean>; metrics: string }[]
  refused?: string
  stopped?: boolean
}
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

function start(...modes: string[]) {
  const process_: ChildProcess = spawn(process.execPath, ['--import', 'tsx', script, ...modes], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: Line[] = []
  let log = ''
  let rest = ''
  process_.stdout?.on('data', (data: Buffer) => {
    const parts = (rest + data.toString()).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts.map((it) => JSON.parse(it) as Line))
  })
  process_.stderr?.on('data', (data: Buffer) => {
    log += data.toString()
  })
  cleanups.push(() => process_.kill('SIGKILL'))
  const until = (state: string, isSo: () => boolean) =>
    waitUntil(state, isSo, () => ({ log, lines }))
  const report = async () => {
    const before = lines.length
    process_.kill('SIGUSR2')
    await until('it reports', () => lines.length > before)
    return lines.at(-1)?.reports ?? []
  }
  /** Process ids by name, once all children report them. */
  const pids = (): Promise<Record<string, number>> =>
    waitUntil('all processes answer', async () => {
      const found = (await report()).map(
        (it) => [it.process, Number(/pid (\d+)/.exec(it.metrics)?.[1])] as const,
      )
      return found.every(([, pid]) => Number.isInteger(pid)) && Object.fromEntries(found)
    })
  /** Its event loop stands still from now on. */
  const makeBusy = async (pid = 0) => {
    process.kill(pid, 'SIGHUP')
    await until('it is busy', () => log.includes('busy from now on'))
  }
  /** The pid of a child that was started again, and which was `before`. */
  const pidAfter = (name: string, before: number) =>
    waitUntil('it was started again', async () => {
      const pid = (await pids())[name]
      return pid !== before && pid
    })
  const untilStarted = () => until('it has started', () => lines.length > 0)
  const untilRefused = () =>
    until('it has given up', () => lines.some((it) => it.refused !== undefined))
  const refusal = () => lines.find((it) => it.refused !== undefined)?.refused
  const starts = () => log.split('starting it again').length - 1
  const untilStopped = () => until('it has stopped', () => lines.at(-1)?.stopped === true)
  return {
    ...{ process: process_, lines, until, report, pids, makeBusy, pidAfter },
    ...{ untilStarted, untilRefused, untilStopped, refusal, starts, log: () => log },
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('the supervisor', () => {
  it('starts its processes, ready when all are; again after kill -9; and ends them with itself', async () => {
    const run = start('idle', 'idle')
    await run.untilStarted()
    const reports = run.lines[0]?.reports ?? []
    expect(reports.map((it) => it.process)).toEqual(['idle-0', 'idle-1'])
    expect(reports.every((it) => it.ready.part)).toBe(true)
    const { 'idle-0': first = 0, 'idle-1': second = 0 } = await run.pids()
    expect(getPriority(second)).toBeGreaterThan(getPriority(first))

    process.kill(first, 'SIGKILL')
    const again = await run.pidAfter('idle-0', first)
    expect((await run.pids())['idle-1']).toBe(second)
    expect(run.log()).toMatch(/"delayMs":0/)

    // One that is paused does not answer, and is not ended.
    process.kill(again, 'SIGSTOP')
    expect((await run.report())[0]?.ready).toEqual({ answers: false })
    process.kill(again, 'SIGCONT')
    expect((await run.pids())['idle-0']).toBe(again)

    run.process.kill('SIGTERM')
    await run.untilStopped()
    expect([again, second].some(isAlive)).toBe(false)
    expect(run.log()).not.toContain('does not stop')
  })

  it('takes its children with it when it is killed, also one that is busy or deaf', async () => {
    const run = start('idle', 'busy', 'deaf')
    await run.untilStarted()
    const pids = Object.values(await run.pids())
    expect(pids.filter(isAlive)).toHaveLength(3)
    await run.makeBusy(pids[1])
    run.process.kill('SIGKILL')
    await run.until('all have ended', () => !pids.some(isAlive))
  })

  it('starts a process again whose event loop stands still', async () => {
    const run = start('idle', 'stalling')
    await run.untilStarted()
    const { 'stalling-1': before = 0 } = await run.pids()
    await run.makeBusy(before)
    await run.pidAfter('stalling-1', before)
    expect(run.log()).toContain('the event loop stood still for 3 s: this process ends\n')
  })

  it('stops, also when nobody obeys', async () => {
    const run = start('deaf', 'busy')
    await run.untilStarted()
    const pids = Object.values(await run.pids())
    await run.makeBusy(pids[1])
    run.process.kill('SIGTERM')
    await run.untilStopped()
    expect(pids.some(isAlive)).toBe(false)
    expect(run.log()).toContain('does not stop')
  })

  it('ends at once when a process refuses to run, with its reason', async () => {
    const run = start('idle', 'refusing')
    await run.untilRefused()
    expect(run.refusal()).toBe('it does not want to')
    expect(run.starts()).toBe(0)
  })

  it.each([
    [
      'throwing',
      /^the process throwing-0 failed 3 times in the same way before it was ready: table 'x' is not there \(pid \d+\)$/,
    ],
    ['crashing', /^the process crashing-0 failed 3 times .*: it crashed \(SIGSEGV\)$/],
    ['mute', /^the process mute-0 failed 3 times .*: it ended with status 3$/],
  ])(
    'ends after three tries of a %s process, with its reason and no stack',
    async (mode, reason) => {
      const run = start(mode)
      await run.untilRefused()
      expect(run.refusal()).toMatch(reason)
      expect(run.starts()).toBe(2)
      expect(run.log()).not.toMatch(/ at .*\.ts/)
    },
  )

  it('starts a process that waits for an engine again and again, and one that is killed after it came up', async () => {
    const run = start('waiting')
    const other = start('idle')
    await run.until('it was started four times', () => run.starts() > 2)
    expect(run.refusal()).toBeUndefined()
    await other.untilStarted()
    let last = 0
    for (let kills = 0; kills < 3; kills += 1) {
      last = await other.pidAfter('idle-0', last)
      process.kill(last, 'SIGSEGV')
    }
    expect(await other.pidAfter('idle-0', last)).toBeGreaterThan(0)
    expect(other.starts()).toBe(3)
    expect(other.refusal()).toBeUndefined()
  })
})

describe('the lock of a data directory', () => {
  const makeDir = (): string => {
    const dir = mkdtempSync(join(tmpdir(), 'logeye-test-lock-'))
    cleanups.push(() => rmSync(dir, { recursive: true, force: true }))
    return dir
  }

  it('is held by one process at a time', () => {
    const dir = makeDir()
    const lock = lockDataDir(dir)
    expect(() => lockDataDir(dir)).toThrow(`the data directory ${dir} is used by another process`)
    lock.release()
    lockDataDir(dir).release()
  })

  it.each([
    ['a process that is gone', { pid: 999_999_999, birth: 'x' }],
    ['a process whose pid another one has today', { pid: process.pid, birth: 'earlier' }],
    ['nobody', 'half a fi'],
  ])('is taken over from %s', (_, content) => {
    const dir = makeDir()
    writeFileSync(join(dir, 'supervisor.lock'), JSON.stringify(content))
    const lock = lockDataDir(dir)
    expect(lock.isInherited).toBe(true)
    expect(() => lockDataDir(dir)).toThrow('is used by another process')
    lock.release()
  })

  it('refuses a directory that cannot be made', () => {
    const dir = makeDir()
    writeFileSync(join(dir, 'file'), '')
    expect(() => lockDataDir(join(dir, 'file', 'data'))).toThrow('is not a directory')
  })
})

it('claims a port only when nobody has it', async () => {
  const port = await findFreePort(testClock)
  const claim = { address: '127.0.0.1', port, setting: 'X' }
  expect(await claimPort(claim, testClock)).toBe(port)
  const { createServer } = await import('node:net')
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  await expect(claimPort(claim, testClock)).rejects.toMatchObject({ code: 'http.port_taken' })
  other.close()
})
