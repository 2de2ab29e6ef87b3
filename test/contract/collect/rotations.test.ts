// Rotations that meet files which are not read yet, or were read further than their copy goes:
// every line is stored once and in order (docs/decisions/0094).
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, it } from 'vitest'
import {
  type CollectPlace,
  openCollectPlace,
  type RunningCollector,
} from '../../support/collect/collect-place.ts'

let collect: CollectPlace
let running: RunningCollector
beforeAll(async () => {
  collect = await openCollectPlace()
  running = await collect.collect()
})
afterAll(async () => {
  await running?.stop()
  await collect?.close()
})

const line = (number: number) => `line ${String(number).padStart(40, '.')}\n`
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => line(from + at)).join('')

async function begin(name: string) {
  const root = join(collect.files, name)
  mkdirSync(root)
  const path = (file: string) => join(root, file)
  const id = await collect.addLog(name, { filePaths: [path('*')] })
  const filesAre = (count: number) =>
    collect.untilEqual(
      () => running.telemetry.progress().find(({ log }) => log === name)?.files,
      count,
    )
  const messagesAre = (all: readonly string[]) =>
    collect.untilEqual(() => collect.messages(id), all)
  const linesAre = (from: number, to: number) => messagesAre(lines(from, to).trim().split('\n'))
  return { path, filesAre, linesAre, messagesAre }
}

it('reads a file that is packed before it was read once', async () => {
  const { path, filesAre, linesAre } = await begin('unread')
  // A packed file that was found a moment ago: nothing else is read meanwhile.
  writeFileSync(path('a.log.1.gz'), gzipSync(lines(1, 20)))
  writeFileSync(path('a.log'), lines(21, 40))
  // Of the same moment: the longer name is the older one.
  const { atime, mtime } = statSync(path('a.log.1.gz'))
  utimesSync(path('a.log'), atime, mtime)
  utimesSync(path('a.log.1.gz'), atime, mtime)
  await filesAre(1)
  writeFileSync(path('a.log.2.gz'), gzipSync(lines(21, 40)))
  rmSync(path('a.log'))
  writeFileSync(path('a.log'), lines(41, 60))
  await linesAre(1, 60)
  // Each is found by a look of its own: the packed file has settled by then.
  for (const number of [61, 62, 63]) {
    appendFileSync(path('a.log'), line(number))
    await linesAre(1, number)
  }
})

it('reads nothing of a copy that was read further than it goes', async () => {
  const { path, filesAre, linesAre } = await begin('further')
  writeFileSync(path('a.log'), lines(1, 100))
  await linesAre(1, 100)
  appendFileSync(path('a.log'), lines(101, 110))
  await linesAre(1, 110)
  // As copy-truncate leaves it, where lines were written between its copy and its cut.
  writeFileSync(path('a.log.1'), lines(1, 100))
  writeFileSync(path('a.log'), lines(111, 112))
  await linesAre(1, 112)
  await filesAre(2)
  await linesAre(1, 112)
})

it('reads on in the copy of a file that was cut off unread', async () => {
  const { path, filesAre, linesAre } = await begin('cut')
  writeFileSync(path('b.log.1.gz'), gzipSync(lines(1, 20)))
  writeFileSync(path('b.log'), lines(21, 40))
  await filesAre(1)
  writeFileSync(path('b.log.2'), lines(21, 40))
  writeFileSync(path('b.log'), lines(41, 60))
  await linesAre(1, 60)
  await filesAre(3)
  await linesAre(1, 60)
})

it('reads on in a copy, then what was written in its place, then what is newer', async () => {
  const { path, linesAre } = await begin('since')
  writeFileSync(path('a.log'), lines(1, 20))
  await linesAre(1, 20)
  await running.stop()
  appendFileSync(path('a.log'), lines(21, 40))
  writeFileSync(path('a.log.2'), lines(1, 40))
  // More than was read of it before it was cut off.
  writeFileSync(path('a.log'), lines(41, 100))
  renameSync(path('a.log'), path('a.log.1'))
  writeFileSync(path('a.log'), lines(101, 120))
  const nowS = statSync(path('a.log')).mtimeMs / 1000
  for (const [at, name] of ['a.log.2', 'a.log.1', 'a.log'].entries())
    utimesSync(path(name), nowS, nowS - 3 + at)
  running = await collect.collect()
  await linesAre(1, 120)
})

it('reads a short file once that is packed afterwards', async () => {
  const { path, filesAre, messagesAre } = await begin('short')
  writeFileSync(path('a.log'), 'a line\n')
  await messagesAre(['a line'])
  writeFileSync(path('a.log.1.gz'), gzipSync('a line\n'))
  rmSync(path('a.log'))
  writeFileSync(path('a.log'), 'another\n')
  await filesAre(2)
  writeFileSync(path('b.log.1.gz'), gzipSync('a line\n'))
  // One that comes of nothing that is gone is another one.
  await messagesAre(['a line', 'another', 'a line'])
})
