// Patches (docs/decisions/0112): what is refused; and a switch that kills leave whole. The long
// form: LOGEYE_TEST_PATCH_KILLS=20.
import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPatch } from '../../../infra/patches/patch-archive.ts'
import { readPatchState } from '../../../infra/patches/patch-state.ts'
import { stagePatch } from '../../../infra/patches/stage-patch.ts'
import { filesOf, MAKER, makePatch, PUBLIC_KEY, VERSION } from '../../support/patches/make-patch.ts'
import { series } from '../../support/run/tier.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

const KILLS = Number(process.env.LOGEYE_TEST_PATCH_KILLS ?? series(2, 12))
const PROCESS = fileURLToPath(new URL('../../support/patches/patch-process.ts', import.meta.url))

let dataDir = ''
const running = new Set<ChildProcess>()
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'logeye-patch-'))
})
afterEach(async () => {
  for (const child of running) await kill(child)
  rmSync(dataDir, { recursive: true, force: true })
})

const stage = (archive: Buffer) =>
  stagePatch(archive, { dataDir, publicKey: PUBLIC_KEY, version: VERSION, programFolder: dataDir })
const reasonOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  return 'it was taken'
}

function start(...words: readonly string[]): ChildProcess {
  const args = ['--import', import.meta.resolve('tsx'), PROCESS, ...words]
  const child = spawn(process.execPath, args, { cwd: dataDir, stdio: 'ignore' })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = endOf(child)
  child.kill('SIGKILL')
  await ended
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

function endOf(child: ChildProcess): Promise<unknown> {
  if (hasEnded(child)) return Promise.resolve()
  return new Promise((resolve) => child.once('exit', resolve))
}

const runs = () => {
  const file = join(dataDir, 'running')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

const untilRuns = (number: string) =>
  waitUntil(`patch ${number} runs`, () => runs() === number, runs)
const untilState = (what: string, isSo: (state: ReturnType<typeof readPatchState>) => boolean) =>
  waitUntil(
    what,
    () => isSo(readPatchState(dataDir)),
    () => readPatchState(dataDir),
  )

/** Files of a patch that is being staged. */
const laidDown = () => {
  const folder = join(dataDir, 'patches')
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true }) : []
  return names.filter((name) => String(name).startsWith('draft-')).length
}
/** How far a patch is staged, and how far it is launched, when its process is killed. Each round
 *  takes the next of both. */
const STAGING_POINTS: readonly ((round: number) => boolean)[] = [
  () => laidDown() > 0,
  (round) => readPatchState(dataDir).staged?.number === round,
  () => laidDown() > 20,
  (round) => existsSync(join(dataDir, `patches/patch-${round}`)),
  // It ends.
  () => false,
]
const LAUNCH_POINTS: readonly ((round: number) => boolean)[] = [
  () => runs() !== '',
  (round) => readPatchState(dataDir).active?.number === round || runs() !== '',
  () => true,
  (round) =>
    runs() !== '' && (runs() !== String(round) || readPatchState(dataDir).state === 'good'),
]

describe('a patch', () => {
  it('is refused when anything of it is not as it was signed', () => {
    const good = makePatch(1)
    const other = generateKeyPairSync('ed25519').privateKey
    expect(reasonOf(() => stage(makePatch(1, { key: other })))).toContain('not signed by the maker')
    expect(reasonOf(() => stage(Buffer.from('PK\u0003\u0004 a zip')))).toContain(
      'no patch of Logeye',
    )
    const changed = Buffer.from(good)
    changed[changed.length - 30] = (changed[changed.length - 30] ?? 0) ^ 1
    expect(reasonOf(() => stage(changed))).toMatch(/damaged|is not the one that was signed/)
    // The second archive's files behind the first one's list.
    const at = (archive: Buffer) => archive.indexOf(10, archive.indexOf('\n---\n') + 5) + 1
    const two = makePatch(1, {
      files: [...filesOf(1), { path: 'dist/extra.js', content: Buffer.from('x') }],
    })
    const slipped = Buffer.concat([good.subarray(0, at(good)), two.subarray(at(two))])
    expect(reasonOf(() => stage(slipped))).toMatch(/other files than|more than it says/)
    expect(readPatchState(dataDir).staged).toBeNull()
  })

  it.each([
    '../out.js',
    '/etc/passwd',
    'dist/../../out.js',
    'C:\\out.js',
    'dist//x',
    'dist/./x',
    '',
  ])('is refused with the name %j, even signed', (path) => {
    const files = [...filesOf(1), { path, content: Buffer.from('x') }]
    expect(reasonOf(() => stage(makePatch(1, { files })))).toMatch(/leads out of|cannot be read/)
  })

  it('is refused twice, older, for another version, for other data, and without a key', () => {
    expect(stage(makePatch(3)).number).toBe(3)
    expect(reasonOf(() => stage(makePatch(2)))).toContain('not newer than patch 3')
    expect(reasonOf(() => stage(makePatch(4, { from: ['9.9'] })))).toContain('for version 9.9')
    expect(reasonOf(() => stage(makePatch(4, { migration: 999 })))).toContain('form of the data')
    const place = { dataDir, publicKey: undefined, version: VERSION, programFolder: dataDir }
    expect(reasonOf(() => stagePatch(makePatch(4), place))).toContain('LOGEYE_PATCH_PUBLIC_KEY')
    const large = Buffer.concat([makePatch(4), Buffer.alloc(257 * 1024 * 1024)])
    expect(reasonOf(() => stage(large))).toContain('has more than')
  })

  it('comes back out as it went in', () => {
    const { files } = openPatch(makePatch(5), MAKER)
    expect(files.map(({ path, content }) => [path, content.toString()])).toEqual(
      filesOf(5).map(({ path, content }) => [path, content.toString()]),
    )
  })
})

describe('a start', () => {
  it('switches to a patch, and back when it is not healthy or was changed', async () => {
    stage(makePatch(1))
    let launcher = start('launch', dataDir, PUBLIC_KEY, '20000')
    await untilRuns('1')
    await untilState('it is good', ({ state }) => state === 'good')
    await kill(launcher)
    stage(makePatch(2, { kind: 'silent' }))
    launcher = start('launch', dataDir, PUBLIC_KEY, '1500')
    await untilState('it is taken back', ({ takenBack }) => takenBack === 2)
    await untilRuns('1')
    expect(readPatchState(dataDir)).toMatchObject({ active: { number: 1 }, takenBack: 2 })
    await kill(launcher)
    stage(makePatch(3, { kind: 'crashing' }))
    launcher = start('launch', dataDir, PUBLIC_KEY, '20000')
    await untilState('it is taken back', ({ takenBack }) => takenBack === 3)
    await untilRuns('1')
    await kill(launcher)
    writeFileSync(join(dataDir, 'patches/patch-1/dist/part.js'), 'export const part = 7')
    launcher = start('launch', dataDir, PUBLIC_KEY, '20000')
    await untilRuns('0')
    expect(readPatchState(dataDir)).toMatchObject({ active: null, takenBack: 1 })
  })

  it(`killed at ${KILLS} points leaves the old or the new`, async () => {
    const archive = join(dataDir, 'archive')
    let inForce = 0
    for (let round = 1; round <= KILLS; round += 1) {
      writeFileSync(archive, makePatch(round))
      const staging = start('stage', dataDir, PUBLIC_KEY, archive)
      const isStagingAt = STAGING_POINTS[round % STAGING_POINTS.length] ?? (() => true)
      await waitUntil('it stages so far', () => hasEnded(staging) || isStagingAt(round))
      await kill(staging)
      const isStaged = readPatchState(dataDir).staged?.number === round
      rmSync(join(dataDir, 'running'), { force: true })
      const first = start('launch', dataDir, PUBLIC_KEY, '20000')
      const isLaunchAt = LAUNCH_POINTS[round % LAUNCH_POINTS.length] ?? (() => true)
      await waitUntil('it launches so far', () => hasEnded(first) || isLaunchAt(round))
      await kill(first)
      rmSync(join(dataDir, 'running'), { force: true })
      const second = start('launch', dataDir, PUBLIC_KEY, '20000')
      const wanted = isStaged ? round : inForce
      await untilRuns(String(wanted))
      if (wanted > 0) await untilState('it is good', ({ state }) => state === 'good')
      await kill(second)
      expect(existsSync(join(dataDir, 'mixture'))).toBe(false)
      inForce = wanted
    }
  }, 300_000)
})
