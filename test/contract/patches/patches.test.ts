// Patches (docs/decisions/0112): what is refused; and a switch that kills leave whole. The long
// form: LOGEYE_TEST_PATCH_KILLS=20.
import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPatch } from '../../../infra/patches/patch-archive.ts'
import { readPatchState } from '../../../infra/patches/patch-state.ts'
import { stagePatch } from '../../../infra/patches/stage-patch.ts'
import { filesOf, MAKER, makePatch, PUBLIC_KEY, VERSION } from '../../support/patches/make-patch.ts'

const KILLS = Number(process.env.LOGEYE_TEST_PATCH_KILLS ?? 4)
const PROCESS = fileURLToPath(new URL('../../support/patches/patch-process.ts', import.meta.url))
const WITHIN = { timeout: 30_000, interval: 20 }

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

function endOf(child: ChildProcess): Promise<unknown> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => child.once('exit', resolve))
}

const runs = () => {
  const file = join(dataDir, 'running')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

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
    await expect.poll(runs, WITHIN).toBe('1')
    await expect.poll(() => readPatchState(dataDir).state, WITHIN).toBe('good')
    await kill(launcher)
    stage(makePatch(2, { kind: 'silent' }))
    launcher = start('launch', dataDir, PUBLIC_KEY, '1500')
    await expect.poll(runs, WITHIN).toBe('2')
    await expect.poll(runs, WITHIN).toBe('1')
    expect(readPatchState(dataDir)).toMatchObject({ active: { number: 1 }, takenBack: 2 })
    await kill(launcher)
    stage(makePatch(3, { kind: 'crashing' }))
    launcher = start('launch', dataDir, PUBLIC_KEY, '20000')
    await expect.poll(() => readPatchState(dataDir).takenBack, WITHIN).toBe(3)
    await expect.poll(runs, WITHIN).toBe('1')
    await kill(launcher)
    writeFileSync(join(dataDir, 'patches/patch-1/dist/part.js'), 'export const part = 7')
    launcher = start('launch', dataDir, PUBLIC_KEY, '20000')
    await expect.poll(runs, WITHIN).toBe('0')
    expect(readPatchState(dataDir)).toMatchObject({ active: null, takenBack: 1 })
  }, 120_000)

  it(`killed at ${KILLS} moments leaves the old or the new`, async () => {
    const archive = join(dataDir, 'archive')
    let inForce = 0
    for (let round = 1; round <= KILLS; round += 1) {
      writeFileSync(archive, makePatch(round))
      const staging = start('stage', dataDir, PUBLIC_KEY, archive)
      // Loading the program takes most of the time; the rest is spread over what it does.
      await expect
        .poll(() => staging.exitCode !== null || existsSync(join(dataDir, 'patches')), WITHIN)
        .toBe(true)
      await new Promise((resolve) => setTimeout(resolve, (round * 37) % 120))
      await kill(staging)
      const isStaged = readPatchState(dataDir).staged?.number === round
      rmSync(join(dataDir, 'running'), { force: true })
      const first = start('launch', dataDir, PUBLIC_KEY, '20000')
      await new Promise((resolve) => setTimeout(resolve, (round * 211) % 1500))
      await kill(first)
      rmSync(join(dataDir, 'running'), { force: true })
      const second = start('launch', dataDir, PUBLIC_KEY, '20000')
      const wanted = isStaged ? round : inForce
      await expect.poll(runs, WITHIN).toBe(String(wanted))
      if (wanted > 0) await expect.poll(() => readPatchState(dataDir).state, WITHIN).toBe('good')
      await kill(second)
      expect(existsSync(join(dataDir, 'mixture'))).toBe(false)
      inForce = wanted
    }
  }, 300_000)
})
