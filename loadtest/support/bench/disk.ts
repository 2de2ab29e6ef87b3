// Bytes on disk once merges have come to rest, and of our store what each column and index takes,
// from the names of its files.
import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const QUIET_MS = 90_000
const REST_LIMIT_MS = 420_000
const STILL_SHARE = 0.002

type Found = { readonly path: string; readonly bytes: number }

/** When neither has changed for 90 s; sources of merges are removed a minute later. */
export async function restingBytes(directories: readonly string[]): Promise<number[]> {
  const weigh = () => directories.map((directory) => sum(filesOf(directory)))
  let before = weigh()
  const deadline = performance.now() + REST_LIMIT_MS
  for (let quietSince = performance.now(); performance.now() - quietSince < QUIET_MS; ) {
    if (performance.now() > deadline) break
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const now = weigh()
    const isStill = now.every((bytes, at) => {
      const was = before[at] ?? 0
      return Math.abs(bytes - was) <= was * STILL_SHARE
    })
    if (isStill) continue
    quietSince = performance.now()
    before = now
  }
  return weigh()
}

/** Largest first. */
export function bytesByColumn(store: string): [string, number][] {
  const found = new Map<string, number>()
  for (const { path, bytes } of filesOf(store)) {
    const name = nameOf(path.slice(path.lastIndexOf('/') + 1))
    found.set(name, (found.get(name) ?? 0) + bytes)
  }
  return [...found].sort((a, b) => b[1] - a[1])
}

/** `columns.level.dict.bin` is of the column level, `skp_idx_words.idx` of the index words,
 *  `data.bin` of a small part as a whole. */
function nameOf(file: string): string {
  const [, index] = /^skp_idx_([^.]+)\./.exec(file) ?? []
  if (index !== undefined) return `index ${index}`
  const [, typed] = /^(columns\.[^.]+)\./.exec(file) ?? []
  if (typed !== undefined) return typed
  const [, column] = /^([^.]+)\.(?:.*\.)?(?:bin|cmrk\d?|mrk\d?)$/.exec(file) ?? []
  if (column === 'data') return 'small parts'
  if (column !== undefined) return column
  return /^primary\./.test(file) ? 'primary index' : 'others'
}

function filesOf(directory: string): Found[] {
  return entriesOf(directory).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return filesOf(path)
    return entry.isFile() ? [{ path, bytes: bytesOf(path) }] : []
  })
}

/** A merge may remove what was there a moment ago. */
function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}

function bytesOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}

function sum(files: readonly Found[]): number {
  return files.reduce((total, { bytes }) => total + bytes, 0)
}
