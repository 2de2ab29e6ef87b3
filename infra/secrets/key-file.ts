// The file with the keys of secrets: a line a key, `<id> <32 bytes in base64>`, the newest last. It
// lies outside the database, so that a copy of the database alone tells no secret.
import { createHash } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import type { SecretKey } from './secret-box.ts'

const KEY_BYTES = 32
const ONLY_OURS = 0o600
/** A group may read it (mounted secrets of a cluster), nobody else, and only the owner writes. */
const REFUSED_MODE = 0o037
const HEAD = `# Logeye: keys of the secrets in its database. Whoever has this file and the database has the secrets;
# without this file they are lost. Keep a copy, apart from copies of the database.
`

/** Oldest first; undefined: there is no such file. Fails with secrets.key_file. */
export function readKeyFile(file: string): readonly SecretKey[] | undefined {
  let text: string
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) return undefined
    if (process.platform !== 'win32' && (found.mode & REFUSED_MODE) !== 0)
      throw refuse(file, 'others than its owner may read or change it: chmod 600')
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw error instanceof Failure ? error : refuse(file, describe(error), error)
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const keys = lines.map((line, at) => readKey(file, line, at))
  if (keys.length === 0) throw refuse(file, 'it holds no key')
  return keys
}

/** Makes the file with one key, unless somebody was quicker; gives what the file holds then. */
export function makeKeyFile(file: string, clock: Pick<Clock, 'randomBytes'>): readonly SecretKey[] {
  const draft = writeDraft(file, [makeKey(clock)], clock)
  try {
    // Unlike a rename it never takes the place of a file.
    linkSync(draft, file)
    syncFolder(file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw refuse(file, describe(error), error)
  } finally {
    rmSync(draft, { force: true })
  }
  return readKeyFile(file) ?? []
}

/** A new key at the end of what the file holds. Fails with secrets.key_file. */
export function addKey(file: string, clock: Pick<Clock, 'randomBytes'>): SecretKey {
  const key = makeKey(clock)
  const draft = writeDraft(file, [...(readKeyFile(file) ?? []), key], clock)
  try {
    renameSync(draft, file)
    syncFolder(file)
  } catch (error) {
    throw refuse(file, describe(error), error)
  }
  return key
}

function makeKey(clock: Pick<Clock, 'randomBytes'>): SecretKey {
  const bytes = clock.randomBytes(KEY_BYTES)
  return { id: idOf(bytes), bytes }
}

/** Says nothing of the key, and shows a damaged line. */
function idOf(bytes: Buffer): string {
  return createHash('sha256').update('logeye key id\0').update(bytes).digest('hex').slice(0, 16)
}

function readKey(file: string, line: string, at: number): SecretKey {
  const [id = '', base64 = ''] = line.trim().split(/\s+/)
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length !== KEY_BYTES || idOf(bytes) !== id)
    throw refuse(file, `its key number ${at + 1} is damaged`)
  return { id, bytes }
}

function writeDraft(
  file: string,
  keys: readonly SecretKey[],
  clock: Pick<Clock, 'randomBytes'>,
): string {
  const draft = `${file}.${clock.randomBytes(6).toString('hex')}`
  const lines = keys.map(({ id, bytes }) => `${id} ${bytes.toString('base64')}\n`)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o750 })
    writeFileSync(draft, HEAD + lines.join(''), { mode: ONLY_OURS, flag: 'wx', flush: true })
    return draft
  } catch (error) {
    rmSync(draft, { force: true })
    throw refuse(file, describe(error), error)
  }
}

/** So that the name is there after a power cut. */
function syncFolder(file: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(dirname(file), 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function refuse(file: string, reason: string, cause?: unknown): Failure {
  return new Failure('secrets.key_file', { file, reason }, cause)
}

function describe(error: unknown): string {
  return `the system says ${codeOf(error) ?? 'no reason'}`
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
