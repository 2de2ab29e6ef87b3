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

it.each(changes)('stores it once when the log got %s', async (what, to) => {
  const { metastore } = collect.place
  const name = what.replaceAll(' ', '-')
  const path = join(collect.files, `${name}.log`)
  const patterns = what === 'no pattern again' ? ['{string:All}'] : []
  const definition = { filePaths: [path], charSet: 'windows-1252', patterns }
  const logId = await collect.addLog(name, definition)
  writeFileSync(path, Buffer.from('{"message":"gr\u00f6\u00dfe"}\nend\n', 'latin1'))
  const child = collect.fork('appended', 1)
  expect((await once(child, 'exit'))[1]).toBe('SIGKILL')
  await metastore.database.write((transaction) =>
    changeLog(transaction, { parent: [], name }, { definition: to }),
  )
  await metastore.refresh()
  const running = await collect.collect()
  writeFileSync(path, Buffer.from('last\n'), { flag: 'a' })
  const first = patterns.length > 0 ? '{"message":"größe"}' : 'größe'
  await collect.untilEqual(() => collect.messages(logId), [first, 'end', 'last'])
  await running.stop()
})
