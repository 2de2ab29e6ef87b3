// What cannot run says why in one line and ends with status 1; nothing is made, and no secret is printed.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { missingEvenInCi } from '../support/missing.ts'
import { runCommand } from '../support/run-command.ts'
import { itUnless } from '../support/skip.ts'

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
      expect(ended.err).toMatch(oneLine(/is no directory/))
    }
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
