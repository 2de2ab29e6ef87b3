// Which key encrypts, and where the others are found. The database names the key in force, the file
// holds it: a node without the same file fails clearly and never makes a second one. The file is
// read at each use, which is seldom: a copied file is seen without a start.
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import type { Database, DatabaseTransaction } from '../database/port.ts'
import { makeKeyFile, readKeyFile } from './key-file.ts'
import type { SecretKey } from './secret-box.ts'

export class SecretKeys {
  readonly #file: string | undefined
  readonly #clock: Pick<Clock, 'nowMs' | 'randomBytes'>

  /** Without a file every use fails. */
  constructor(file: string | undefined, clock: Pick<Clock, 'nowMs' | 'randomBytes'>) {
    this.#file = file
    this.#clock = clock
  }

  /** Fails with secrets.key_missing, secrets.key_file. */
  find(id: string): SecretKey {
    const key = readKeyFile(this.file)?.find((it) => it.id === id)
    if (key === undefined) throw this.#missing(id)
    return key
  }

  /** For new secrets; the first one is made here. Fails like `find`. */
  async current(db: Database['read']): Promise<SecretKey> {
    const id = await readCurrentId(db)
    if (id !== undefined) return this.find(id)
    const keys = readKeyFile(this.file) ?? makeKeyFile(this.file, this.#clock)
    const key = keys.at(-1)
    if (key === undefined) throw new Error('a key file without a key was read')
    return key
  }

  /** In the transaction that stores what the key has encrypted: of two nodes that began with files
   *  of their own one wins. Fails with secrets.key_missing. */
  async claim(transaction: DatabaseTransaction, key: SecretKey): Promise<void> {
    const id = await readCurrentId(transaction)
    if (id === key.id) return
    if (id !== undefined) throw this.#missing(id)
    await addCurrentKey(transaction, key.id, this.#clock.nowMs())
  }

  get file(): string {
    if (this.#file !== undefined) return this.#file
    throw new Failure('secrets.key_file', { file: 'none', reason: 'this process has none' })
  }

  #missing(key: string): Failure {
    return new Failure('secrets.key_missing', { key, file: this.file })
  }
}

export async function addCurrentKey(
  transaction: DatabaseTransaction,
  keyId: string,
  nowMs: number,
): Promise<void> {
  const last = await readLast(transaction)
  await transaction
    .insertInto('secret_keys')
    .values({ number: (last?.number ?? 0) + 1, key_id: keyId, made_ms: nowMs })
    .execute()
}

async function readCurrentId(db: Database['read']): Promise<string | undefined> {
  return (await readLast(db))?.key_id
}

function readLast(db: Database['read']) {
  return db
    .selectFrom('secret_keys')
    .select(['number', 'key_id'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}
