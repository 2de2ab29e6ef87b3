import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { printFailures } from '../../../infra/scripts/print-failures.ts'
import { REJECTION_CODES } from '../../../schemas/block/schema.ts'
import { FAILURES, Failure } from '../../../schemas/failures.ts'

const ROOT = join(import.meta.dirname, '../../..')
const codes = Object.keys(FAILURES)
const sources = [
  'main.ts',
  ...['schemas', 'infra', 'ingest', 'query', 'portal', 'roles'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  ),
]
const texts = sources
  .filter((name) => !name.startsWith('schemas/failures'))
  .map((name) => ({ name, text: readFileSync(join(ROOT, name), 'utf8') }))

describe('the table of failures', () => {
  it('is what docs/failures.md says; else: npx tsx infra/scripts/write-failures.ts', () => {
    expect(readFileSync(join(ROOT, 'docs/failures.md'), 'utf8')).toBe(printFailures())
  })

  it('has every code that is thrown', () => {
    const thrown = texts.flatMap(({ name, text }) =>
      [...text.matchAll(/new Failure\(\s*'([^']*)'/g)].map(([, code = '']) => ({ name, code })),
    )
    expect(thrown.length).toBeGreaterThan(50)
    expect(thrown.filter(({ code }) => !codes.includes(code))).toEqual([])
  })

  it('has no code that nobody uses', () => {
    // Rejections of events carry the part after the dot
    // (ingest/listener/inputs/logger/print-answer.ts).
    const ofRejections = new Set(REJECTION_CODES.map((code) => `listener.${code}`))
    const unused = codes.filter(
      (code) => !ofRejections.has(code) && !texts.some(({ text }) => text.includes(`'${code}'`)),
    )
    expect(unused).toEqual([])
  })

  it('has texts in lower case without a full stop, each placeholder a name', () => {
    for (const { message } of Object.values(FAILURES)) {
      expect(message).toMatch(/^[a-z{-]/)
      expect(message).not.toMatch(/[.!]$/)
      expect(message.replace(/\{[a-zA-Z]+\}/g, '')).not.toMatch(/[{}|]/)
    }
  })

  it('fills the details into the text and leaves what it does not know', () => {
    const failure = new Failure('http.cannot_listen', { address: '*', port: 1 })
    expect(failure.message).toBe('cannot listen on *:1 ({reason})')
  })

  it('says what a surface adds after the text', () => {
    const details = { kind: 'user', name: '{hint}', hint: 'choose another name' }
    expect(new Failure('object.exists', details).message).toBe(
      'the user {hint} exists already, choose another name',
    )
  })
})
