// A piece that was stored when the collector was killed, of a log that is another one by then: it
// is cut again as it was, so that the writer knows it.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeLog } from '../../../infra/metastore/tree/log-changes.ts'
import type { LogDefinition } from '../../../schemas/log-definition.ts'
import { type CollectPlace, openCollectPlace } from '../../support/collect/collect-place.ts'

let collect: CollectPlace
beforeAll(async () => {
  collect = await openCollectPlace()
})
afterAll(() => collect?.close())

const changes: readonly [what: string, change: Partial<LogDefinition>][] = [
  ['another character set', { charSet: 'windows-1251' }],
  ['a pattern', { charSet: null, patterns: ['{string:All}'] }],
  ['no pattern again', { patterns: [] }],
]

const namesOf = changes.map(([what]) => what.replaceAll(' ', '-'))
const pathOf = (name: string) => join(collect.files, `${name}.log`)
const hadPattern = (what: string) => what === 'no pattern again'

it('stores it once, whatever the log has got', async () => {
  const { metastore } = collect.place
  const logIds: number[] = []
  for (const [at, [what]] of changes.entries()) {
    const name = namesOf[at] ?? ''
    const patterns = hadPattern(what) ? ['{string:All}'] : []
    const definition = { filePaths: [pathOf(name)], charSet: 'windows-1252', patterns }
    logIds.push(await collect.addLog(name, definition))
    writeFileSync(pathOf(name), Buffer.from('{"message":"gr\u00f6\u00dfe"}\nend\n', 'latin1'))
  }
  const child = collect.fork('appended', 1)
  expect((await once(child, 'exit'))[1]).toBe('SIGKILL')
  // The pieces of all logs went together.
  const stored = (await collect.rowsOf(logIds)).map(({ log_id }) => log_id)
  expect(new Set(stored)).toEqual(new Set(logIds))
  for (const [at, [, to]] of changes.entries())
    await metastore.database.write((transaction) =>
      changeLog(transaction, { parent: [], name: namesOf[at] ?? '' }, { definition: to }),
    )
  await metastore.refresh()
  const running = await collect.collect()
  for (const name of namesOf) writeFileSync(pathOf(name), 'last\n', { flag: 'a' })
  for (const [at, [what]] of changes.entries()) {
    const first = hadPattern(what) ? '{"message":"größe"}' : 'größe'
    await collect.untilEqual(() => collect.messages(logIds[at] ?? 0), [first, 'end', 'last'])
  }
  await running.stop()
})
