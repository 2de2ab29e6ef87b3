// What is found in directories while names come and go.
import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findFiles } from '../../../../ingest/collect/find-files.ts'
import { parsePathPattern } from '../../../../ingest/collect/path-pattern.ts'
import type { FileTree } from '../../../../ingest/collect/sources/file-source.ts'
import { LOCAL_FILES } from '../../../../ingest/collect/sources/local-files.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-find-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const at = (name: string) => join(directory, name)
const find = async (patterns: readonly string[], tree: FileTree = LOCAL_FILES) => {
  const { files, faults } = await findFiles(patterns.map(parsePathPattern), tree)
  expect(faults).toEqual([])
  return files.map(({ path }) => basename(path))
}

/** Everything of one moment, unless the test says another. */
function write(names: readonly string[], second = 1000): void {
  for (const name of names) {
    writeFileSync(at(name), name)
    utimesSync(at(name), second, second)
  }
}

/** Does what happens after each list of names, once each. */
function withChanges(...changes: (() => void)[]): FileTree {
  const { stat, stamp } = LOCAL_FILES
  return {
    stat,
    ...(stamp === undefined ? {} : { stamp }),
    list: async (path) => {
      const entries = await LOCAL_FILES.list(path)
      changes.shift()?.()
      return entries
    },
  }
}

it('finds the longest unchanged first; of one moment the one that was rotated more often', async () => {
  write(['app.log.1', 'app.log', 'app.log.2.gz', 'app.log.10', 'app.log.9', 'app.log.3.gz'])
  write(['old'], 900)
  write(['a-20260102', 'a-20260103.gz', 'a-20260101'], 950)
  expect(await find([at('*')])).toEqual([
    ...['old', 'a-20260101', 'a-20260102', 'a-20260103.gz'],
    ...['app.log.10', 'app.log.9', 'app.log.3.gz', 'app.log.2.gz', 'app.log.1', 'app.log'],
  ])
})

it('misses none that gets another name between the list and the look', async () => {
  write(['app.log', 'app.log.1'])
  const rotate = (to: number) => () => {
    renameSync(at(`app.log.${to - 1}`), at(`app.log.${to}`))
    renameSync(at('app.log'), at('app.log.1'))
    writeFileSync(at('app.log'), 'new')
  }
  const names = ['app.log.3', 'app.log.1', 'app.log']
  expect(await find([at('*')], withChanges(rotate(2), rotate(2)))).toHaveLength(3)
  expect(await find([directory], withChanges(rotate(3)))).toEqual(names)
})

it('ends in a directory in which names change all the time', async () => {
  write(['app.log.0'])
  let count = 0
  const next = () => {
    renameSync(at(`app.log.${count}`), at(`app.log.${count + 1}`))
    count += 1
  }
  const changes = Array.from({ length: 50 }, () => next)
  expect((await find([at('*')], withChanges(...changes))).length).toBeLessThan(2)
  expect(count).toBeLessThan(10)
})
