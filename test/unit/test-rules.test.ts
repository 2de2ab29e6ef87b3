import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  findSleeps,
  findSystemClock,
  findTimeBounds,
  type TestFile,
} from '../support/rules/test-rules.ts'

const ROOT = join(import.meta.dirname, '../..')

/** These may only fall. */
const MAX_SLEEPS = 0
const MAX_TIME_BOUNDS = 0
const MAX_SYSTEM_CLOCK_FILES = 1

const tree: TestFile[] = readdirSync(join(ROOT, 'test'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({
    path: relative(ROOT, path).replaceAll('\\', '/'),
    text: readFileSync(path, 'utf8'),
  }))
  // Its samples are violations.
  .filter(({ path }) => path !== 'test/unit/test-rules.test.ts')

const planted = (line: string): TestFile[] => [
  { path: 'test/contract/listener/planted.test.ts', text: `const a = 1\n${line}\n` },
]

/** The violations, when there are more than allowed. */
const beyond = (found: readonly string[], allowed: number) => (found.length > allowed ? found : [])

describe('tests', () => {
  it('wait for states, never for a time', () => {
    expect(tree.length).toBeGreaterThan(500)
    expect(beyond(findSleeps(tree), MAX_SLEEPS)).toEqual([])
  })

  it('set no upper bound on measured time', () => {
    expect(beyond(findTimeBounds(tree), MAX_TIME_BOUNDS)).toEqual([])
  })

  it('use the test clock in nearly all contract tests', () => {
    expect(beyond(findSystemClock(tree), MAX_SYSTEM_CLOCK_FILES)).toEqual([])
  })
})

describe('the rules', () => {
  it.each([
    '  await sleep(100)',
    '  await systemClock.sleep(1_000, signal)',
    '  await clock.sleep(3 * 1000)',
    '  await delay(50)',
    '  await new Promise((resolve) => setTimeout(resolve, 20))',
    '  setTimeout(() => socket.resume(), 1000)',
    '  setTimeout(done, 5 * SECOND)',
  ])('find the literal wait in %s', (line) => {
    expect(findSleeps(planted(line))).toHaveLength(1)
  })

  it.each([
    '  await waitUntil("it is gone", () => !isAlive(pid))',
    '  await clock.sleep(pauseMs)',
    "  await store.query({ sql: 'SELECT sleep(3)' })",
    "  if (bytes.includes('sleep(1)')) count += 1",
    '  // sleep(100) would be a guess',
    '  const timer = setTimeout(() => end(), limitMs)',
  ])('accept %s', (line) => {
    expect(findSleeps(planted(line))).toEqual([])
  })

  it.each([
    '  expect(performance.now() - startedMs).toBeLessThan(3500)',
    '  expect(systemClock.elapsedMs() - startMs).toBeLessThanOrEqual(patient(1000))',
    '  expect(tookMs).toBeLessThan(patient(1000))',
    '  expect(Date.now() - began).toBeLessThan(10)',
  ])('find the bound on measured time in %s', (line) => {
    expect(findTimeBounds(planted(line))).toHaveLength(1)
  })

  it.each([
    '  expect(rows.length).toBeLessThan(10)',
    '  expect(row.timestampMs).toBeLessThan(endMs)',
    '  expect(holder.clock.elapsedMs() - hiddenMs).toBeLessThan(LEASE_MS)',
  ])('accept the bound %s', (line) => {
    expect(findTimeBounds(planted(line))).toEqual([])
  })

  it.each([
    "import { systemClock } from '../../../infra/clock.ts'",
    '  const now = Date.now()',
    '  const today = new Date()',
    '  const began = performance.now()',
  ])('find the system clock in a contract test: %s', (line) => {
    expect(findSystemClock(planted(line))).toHaveLength(1)
  })
})
