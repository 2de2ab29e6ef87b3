// Keys that encrypt what the portal must be able to read again (decision 7.5): in a file outside
// the database, the same at every process of one portal.
import type { Clock } from '../../infra/clock.ts'
import { makeKeyFile, readKeyFile } from '../../infra/secrets/key-file.ts'
import {
  openSecret,
  type SecretKey,
  sealedSchema,
  sealSecret,
} from '../../infra/secrets/secret-box.ts'
import { Failure } from '../../schemas/failures.ts'

export class PortalKeys {
  readonly #file: string
  readonly #clock: Pick<Clock, 'randomBytes'>
  #keys: readonly SecretKey[]

  /** Makes the file when there is none. Fails with secrets.key_file. */
  constructor(file: string, clock: Pick<Clock, 'randomBytes'>) {
    this.#file = file
    this.#clock = clock
    this.#keys = readKeyFile(file) ?? makeKeyFile(file, clock)
  }

  /** `place`: whose secret it is; it opens nowhere else. */
  seal(place: string, text: string): string {
    const key = this.#keys.at(-1)
    if (key === undefined) throw new Error('a key file without a key was read')
    return JSON.stringify(sealSecret(key, placeOf(place), text, this.#clock))
  }

  /** Fails with secrets.key_missing when another key has sealed it, or it belongs elsewhere. */
  open(place: string, text: string): string {
    const sealed = sealedSchema.parse(JSON.parse(text))
    const key = this.#find(sealed.key)
    const opened = key && openSecret(key, placeOf(place), sealed)
    if (opened === undefined)
      throw new Failure('secrets.key_missing', { key: sealed.key, file: this.#file })
    return opened
  }

  #find(id: string): SecretKey | undefined {
    const known = this.#keys.find((key) => key.id === id)
    if (known !== undefined) return known
    // Another process may have got a newer one.
    this.#keys = readKeyFile(this.#file) ?? this.#keys
    return this.#keys.find((key) => key.id === id)
  }
}

function placeOf(place: string) {
  return { kind: 'portal', id: 0, field: place }
}
