// A key in <dataDir>/keys/<name>.key, made once, shared by all processes of the data directory.
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Clock } from './clock.ts'

const KEY_BYTES = 32

/** Reads the key, or makes it: of several processes that start at once one wins, and all use its key. */
export function openKeyFile(dataDir: string, name: string, clock: Clock): Buffer {
  const directory = join(dataDir, 'keys')
  const file = join(directory, `${name}.key`)
  const known = readKey(file)
  if (known) return known
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const draft = `${file}.${clock.randomBytes(8).toString('hex')}`
  try {
    writeDurably(draft, clock.randomBytes(KEY_BYTES))
    linkWhole(draft, file)
    fsyncDirectory(directory)
  } finally {
    rmSync(draft, { force: true })
  }
  const key = readKey(file)
  if (!key) throw new Error(`the key ${file} could not be made`)
  return key
}

function readKey(file: string): Buffer | undefined {
  try {
    const key = readFileSync(file)
    if (key.length !== KEY_BYTES) throw new Error(`the key ${file} is damaged`)
    return key
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
function writeDurably(file: string, bytes: Buffer): void {
  const descriptor = openSync(file, 'wx', 0o600)
  try {
    writeSync(descriptor, bytes)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** A link appears whole or not at all, and never replaces another process's key. */
function linkWhole(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

function fsyncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
