// What cannot run says why in one line and ends with status 1; nothing is made, and no secret is
// printed.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../../support/product/run-command.ts'
import { missingEvenInCi } from '../../support/run/missing.ts'
import { itUnless } from '../../support/run/skip.ts'

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'logeye-test-refused-'))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

const oneLine = (text: RegExp) => new RegExp(`^logeye: [^\\n]*${text.source}[^\\n]*\\n$`)

describe('a start is refused', () => {
  const isLinux = missingEvenInCi(process.platform === 'linux', '/proc is of Linux')
  itUnless(isLinux, 'where a directory cannot be made (/proc/x)', () => {
    const ended = runCommand(['start'], { LOGEYE_DATA_DIR: '/proc/x' })
    expect(ended).toMatchObject({ status: 1, out: '' })
    expect(ended.err).toMatch(oneLine(/data directory \/proc\/x cannot be written \(ENOENT\)/))
  })

  it('where the data directory is a file, or lies below one', () => {
    writeFileSync(join(place, 'file'), '')
    for (const dir of [join(place, 'file'), join(place, 'file', 'below')]) {
      const ended = runCommand(['start'], { LOGEYE_DATA_DIR: dir })
      expect(ended).toMatchObject({ status: 1, out: '' })
      expect(ended.err).toMatch(oneLine(/is not a directory/))
    }
  })
})

describe('a limit of open files', () => {
  const limited = (limit: number) => ['/bin/sh', '-c', `ulimit -n ${limit}; exec "$0" "$@"`]

  it('that is too low to load the program is one line', () => {
    const ended = runCommand(['start'], { LOGEYE_DATA_DIR: join(place, 'data') }, limited(64))
    expect(ended).toMatchObject({ status: 1, out: '' })
    expect(ended.err).toMatch(oneLine(/only 64 files may be open at once, 256 are needed/))
    expect(existsSync(join(place, 'data'))).toBe(false)
  })

  it('that is enough to start loads the program', () => {
    const ended = runCommand(['config'], { LOGEYE_DATA_DIR: join(place, 'data') }, limited(256))
    expect([ended.status, ended.err]).toEqual([0, ''])
  })
})

describe('a command on the machine', () => {
  it.each([
    ['reset-password', 'admin'],
    ['reset-token', 'Default'],
  ])('%s makes no database where there is none', (...args) => {
    const dataDir = join(place, 'data')
    const ended = runCommand(args, { LOGEYE_DATA_DIR: dataDir })
    expect(ended).toMatchObject({ status: 1, out: '' })
    expect(ended.err).toMatch(oneLine(/there is no database of a product in /))
    expect(existsSync(dataDir)).toBe(false)
  })
})
