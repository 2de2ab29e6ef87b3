import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkDataFormat } from '../../../../infra/supervisor/data-format.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-format-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

describe('the format of a data directory', () => {
  it('is written once, and known again', () => {
    checkDataFormat(dataDir)
    expect(readdirSync(dataDir)).toEqual(['format'])
    expect(readFileSync(join(dataDir, 'format'), 'utf8')).toBe('2\n')
    expect(() => checkDataFormat(dataDir)).not.toThrow()
  })

  it('of an older version gets the number of this one before anything else is changed', () => {
    writeFileSync(join(dataDir, 'format'), '1\n')
    expect(checkDataFormat(dataDir)).toBe(1)
    expect(readFileSync(join(dataDir, 'format'), 'utf8')).toBe('2\n')
  })

  it.each([
    ['3', 'newer version of the product (format 3, this one knows 2)'],
    ['', 'is damaged'],
    ['one', 'is damaged'],
  ])('%j is refused, and left as it is', (text, reason) => {
    writeFileSync(join(dataDir, 'format'), text)
    expect(() => checkDataFormat(dataDir)).toThrow(reason)
    expect(readFileSync(join(dataDir, 'format'), 'utf8')).toBe(text)
  })
})
