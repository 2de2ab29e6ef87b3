import { expect, test } from 'vitest'
import { STAGE_WORDS } from '../../../query/language/stages/all-stages.ts'
import { suggest } from '../../../query/language/suggest.ts'
import { STAGE_HELP, WORD_HELP } from '../../../web/console/query-editor/help-lines.ts'

test('each stage and function has a line of help, and nothing else has', () => {
  expect(Object.keys(STAGE_HELP).toSorted()).toEqual([...new Set(STAGE_WORDS)].toSorted())
  for (const line of [...Object.values(STAGE_HELP), ...Object.values(WORD_HELP)])
    expect(line.length, line).toBeLessThanOrEqual(46)
})

test('each is offered once, and each scope has a line of help', () => {
  const offered = (text: string) => {
    const told = suggest({ text, visibleLogs: [], columns: new Map() }, text.length)
    return told.kind === 'names' ? told.names : []
  }
  const stages = offered('* | ').map(({ text }) => text)
  expect(stages).toHaveLength(new Set(stages).size)
  const scopes = offered('* in ').map(({ text }) => text)
  expect(scopes).toContain('log.')
  for (const text of scopes) expect(WORD_HELP[text], text).toBeDefined()
})
