// The supervisor with fake roles: real processes, real signals.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../infra/clock.ts'
import { lockDataDir } from '../../../infra/supervisor/data-dir-lock.ts'
import { claimPort, findFreePort } from '../../../infra/supervisor/free-port.ts'
import { patient } from '../../support/run/patience.ts'

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
  const until = async (found: () => boolean, limitMs = 10_000): Promise<void> => {
    for (let waited = 0; waited < limitMs && !found(); waited += 20) await sleep(20)
    expect(found(), log).toBe(true)
  }
  /** Process ids by name, as the children report them now. */
  const pids = async (): Promise<Record<string, number>> => {
    for (let tries = 0; tries < 30; tries += 1) {
      const before = lines.length
      process_.kill('SIGUSR2')
      await until(() => lines.length > before)
      const reports = lines.at(-1)?.reports ?? []
      const found = reports.map(
        (it) => [it.process, Number(/pid (\d+)/.exec(it.metrics)?.[1])] as const,
      )
      // A busy child may answer too late for this report.
      if (found.every(([, pid]) => Number.isInteger(pid))) return Object.fromEntries(found)
      await sleep(100)
    }
    throw new Error('a process does not answer')
  }
  return { process: process_, lines, until, pids, log: () => log }
}

/** Its event loop stands still from now on. */
async function makeBusy(pid: number | undefined): Promise<void> {
  if (pid === undefined) throw new Error('it is not there')
  process.kill(pid, 'SIGHUP')
  await sleep(100)
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
  it('starts its processes, ready when all are, each giving way to the one before', async () => {
    const run = start('idle', 'idle')
    await run.until(() => run.lines.length > 0)
    const reports = run.lines[0]?.reports ?? []
    expect(reports.map((it) => it.process)).toEqual(['idle-0', 'idle-1'])
    expect(reports.every((it) => it.ready.part)).toBe(true)
    const [first = 0, second = 0] = Object.values(await run.pids())
    expect(getPriority(second)).toBeGreaterThan(getPriority(first))
  })

  it('starts a process again after kill -9, at once', async () => {
    const run = start('idle', 'idle')
    await run.until(() => run.lines.length > 0)
    const before = await run.pids()
    expect(before['idle-0']).toBeGreaterThan(0)
    process.kill(Number(before['idle-0']), 'SIGKILL')
    let after: Record<string, number> = {}
    for (let tries = 0; tries < 200 && !(after['idle-0'] ?? 0); tries++) {
      await sleep(100)
      after = await run.pids()
    }
    expect(after['idle-0']).toBeGreaterThan(0)
    expect(after['idle-0']).not.toBe(before['idle-0'])
    expect(after['idle-1']).toBe(before['idle-1'])
    expect(run.log()).toMatch(/"delayMs":0/)
  })

  it('reports a paused process as one that does not answer, and does not end it', async () => {
    const run = start('idle')
    await run.until(() => run.lines.length > 0)
    const { 'idle-0': pid = 0 } = await run.pids()
    process.kill(pid, 'SIGSTOP')
    const before = run.lines.length
    run.process.kill('SIGUSR2')
    await run.until(() => run.lines.length > before)
    process.kill(pid, 'SIGCONT')
    expect(run.lines.at(-1)?.reports?.[0]?.ready).toEqual({ answers: false })
    expect((await run.pids())['idle-0']).toBe(pid)
  })

  it('takes its children with it when it is killed, also one that is busy or deaf', async () => {
    const run = start('idle', 'busy', 'deaf')
    await run.until(() => run.lines.length > 0)
    const pids = Object.values(await run.pids())
    expect(pids.filter(isAlive)).toHaveLength(3)
    await makeBusy(pids[1])
    run.process.kill('SIGKILL')
    await run.until(() => !pids.some(isAlive), patient(3000))
  })

  it('stops, also when nobody obeys', async () => {
    const run = start('deaf', 'busy', 'deaf')
    await run.until(() => run.lines.length > 0)
    const pids = Object.values(await run.pids())
    await makeBusy(pids[1])
    run.process.kill('SIGTERM')
    await run.until(() => run.lines.at(-1)?.stopped === true, patient(5000))
    expect(pids.some(isAlive)).toBe(false)
    expect(run.log()).toContain('does not stop')
  })

  it('kills nobody when all obey', async () => {
    const run = start('idle', 'idle')
    await run.until(() => run.lines.length > 0)
    run.process.kill('SIGTERM')
    await run.until(() => run.lines.at(-1)?.stopped === true)
    expect(run.log()).not.toContain('does not stop')
  })

  it('ends at once when a process refuses to run, with its reason', async () => {
    const run = start('idle', 'refusing')
    await run.until(() => run.lines.some((it) => it.refused !== undefined))
    expect(run.lines.find((it) => it.refused)?.refused).toBe('it does not want to')
    expect(run.log()).not.toContain('starting it again')
  })

  it.each([
    [
      'throwing',
      /^the process throwing-1 failed 3 times in the same way before it was ready: table 'x' is not there \(pid \d+\)$/,
    ],
    ['crashing', /^the process crashing-1 failed 3 times .*: it crashed \(SIGSEGV\)$/],
    ['mute', /^the process mute-1 failed 3 times .*: it ended with status 3$/],
  ])(
    'ends after three tries of a %s process, with its reason and no stack',
    async (mode, reason) => {
      const run = start('idle', mode)
      await run.until(() => run.lines.some((it) => it.refused !== undefined), patient(15_000))
      expect(run.lines.find((it) => it.refused)?.refused).toMatch(reason)
      expect(run.log().split('starting it again')).toHaveLength(3)
      expect(run.log()).not.toMatch(/ at .*\.ts/)
    },
  )

  it('goes on with a process that waits for an engine, and with one that is killed after it came up', async () => {
    const run = start('idle', 'waiting')
    await run.until(() => run.log().split('starting it again').length > 5, patient(30_000))
    expect(run.lines.some((it) => it.refused !== undefined)).toBe(false)
    const other = start('idle')
    await other.until(() => other.lines.length > 0)
    let last = 0
    for (let kills = 0; kills < 4; kills += 1) {
      for (let tries = 0; tries < 100; tries += 1) {
        const { 'idle-0': pid = 0 } = await other.pids()
        if (pid > 0 && pid !== last) {
          last = pid
          break
        }
        await sleep(50)
      }
      process.kill(last, 'SIGSEGV')
    }
    await other.until(() => other.log().split('starting it again').length > 4)
    expect(other.lines.some((it) => it.refused !== undefined)).toBe(false)
  }, 90_000)
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
  const port = await findFreePort(systemClock)
  const claim = { address: '127.0.0.1', port, setting: 'X' }
  expect(await claimPort(claim, systemClock)).toBe(port)
  const { createServer } = await import('node:net')
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  await expect(claimPort(claim, systemClock)).rejects.toMatchObject({ code: 'http.port_taken' })
  other.close()
})
