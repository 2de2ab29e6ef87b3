// What is known of a file stays that of what was read of it, whatever happens to it meanwhile.
import { appendFileSync, copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { FileTail, newFile } from '../../../ingest/collect/file-tail.ts'
import { LOCAL_FILES } from '../../../ingest/collect/sources/local-files.ts'

const MIB = 1024 * 1024
const directory = mkdtempSync(join(tmpdir(), 'logeye-test-tail-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

async function openTail(path: string) {
  const { place } = await LOCAL_FILES.stat(path)
  const found = { path, place, size: statSync(path).size, changedMs: 0 }
  return new FileTail(newFile(1, found), 0, LOCAL_FILES)
}

it('knows the copy of a file that was cut off and written anew before its position moved', async () => {
  const path = join(directory, 'app.log')
  const read = async (tail: FileTail) => {
    const next = await tail.next(null)
    if (next.kind !== 'bytes') throw new Error(next.kind)
    return next.bytes
  }
  writeFileSync(path, 'first\n'.repeat(60))
  const tail = await openTail(path)
  await tail.advance(await read(tail))
  appendFileSync(path, 'second\n'.repeat(60))
  const bytes = await read(tail)
  const copy = join(directory, 'app.log.1')
  copyFileSync(path, copy)
  writeFileSync(path, 'third\n'.repeat(300))
  await tail.advance(bytes)
  const copied = await openTail(copy)
  expect(await copied.hasRead(tail.file)).toBe(true)
  expect(await tail.hasRead(tail.file)).toBe(false)
  await Promise.all([tail.close(), copied.close()])
})

it('reads nothing of a file that was cut off and written anew before it was read', async () => {
  const path = join(directory, 'unread.log')
  writeFileSync(path, 'first\n'.repeat(60))
  const tail = await openTail(path)
  tail.noteBegin(await tail.readHead())
  appendFileSync(path, 'second\n')
  expect((await tail.next(null)).kind).toBe('bytes')
  writeFileSync(path, 'third\n'.repeat(300))
  expect((await tail.next(null)).kind).toBe('replaced')
  await tail.close()
})

it('takes larger pieces of a file that has more, and keeps no more memory than came', async () => {
  const path = join(directory, 'large.log')
  writeFileSync(path, 'x'.repeat(99).concat('\n').repeat(60_000))
  const tail = await openTail(path)
  const sizes: number[] = []
  for (let taken = 0; taken < 6_000_000; ) {
    const next = await tail.next(null)
    if (next.kind !== 'bytes') throw new Error(next.kind)
    sizes.push(next.bytes.length)
    await tail.advance(next.bytes)
    taken += next.bytes.length
  }
  expect(sizes).toEqual([0.5 * MIB, 2 * MIB, 2 * MIB, 6_000_000 - 4.5 * MIB])
  appendFileSync(path, 'one more\n')
  const last = await tail.next(null)
  if (last.kind !== 'bytes') throw new Error(last.kind)
  expect(last.bytes.toString()).toBe('one more\n')
  expect(last.bytes.buffer.byteLength).toBeLessThan(0.5 * MIB)
  await tail.close()
})
