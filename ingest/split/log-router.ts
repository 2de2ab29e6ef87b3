// Which log an event belongs to (decisions 3.2–3.4). Paths made are remembered, so that equal paths
// are one array.
import type { ListenerAccount } from '../../schemas/listener-account.ts'
import {
  cleanLevel,
  LEVEL_SEPARATOR,
  MAX_LEVELS,
  SYSTEM_FOLDER,
} from '../../schemas/names/log-path.ts'
import { maskSource } from './source-address.ts'

export type LogRoute = { readonly folder: readonly string[]; readonly logName: string }

/** A level whose key is missing, or whose value is nothing once cleaned. */
const UNKNOWN_LEVEL = 'unknown'
const MAX_KNOWN_ROUTES = 10_000

export class LogRouter {
  readonly #account: ListenerAccount
  readonly #known = new Map<string, LogRoute>()
  readonly #folders = new Map<string, readonly string[]>()
  readonly #plain: LogRoute | null

  constructor(account: ListenerAccount) {
    this.#account = account
    const isOneLog = account.splitColumns.length === 0 && account.sourceSplit === 'none'
    this.#plain = isOneLog ? this.#makeRoute('', '', '', []) : null
  }

  /** `path`, `name`: productPath and productName, '' when absent. `splits`: values of the split
   *  columns, '' when missing. */
  route(host: string, path: string, name: string, splits: readonly string[]): LogRoute {
    if (this.#plain !== null && path === '' && name === '') return this.#plain
    const key = this.#key(host, path, name, splits)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const route = this.#makeRoute(host, path, name, splits)
    if (this.#known.size >= MAX_KNOWN_ROUTES) this.#known.clear()
    this.#known.set(Buffer.from(key, 'utf8').toString('utf8'), route)
    return route
  }

  #key(host: string, path: string, name: string, splits: readonly string[]): string {
    const isByHost = this.#account.splitColumns.length === 0 && this.#account.sourceSplit !== 'none'
    if (isByHost && path === '' && name === '') return host
    let key = `${path}\0${name}\0${isByHost ? host : ''}`
    for (const value of splits) key += `\0${value}`
    return key
  }

  #makeRoute(host: string, path: string, name: string, splits: readonly string[]): LogRoute {
    const account = this.#account
    const splitLevels = account.splitColumns.map((_, i) => levelOf(splits[i] ?? ''))
    const pathLevels =
      path.trim() === '' ? splitLevels.slice(0, -1) : path.split(LEVEL_SEPARATOR).map(levelOf)
    return {
      folder: this.#folder([...account.parentFolder, ...pathLevels]),
      logName: levelOf(this.#logName(splitLevels.at(-1), host, name.trim())),
    }
  }

  #logName(splitLevel: string | undefined, host: string, name: string): string {
    const splitName = splitLevel ?? this.#sourceName(host)
    if (splitName !== null) return name === '' ? splitName : `${splitName} ${name}`
    if (name !== '') return name
    return this.#account.logNamePrefix.trim() || this.#account.name
  }

  #sourceName(host: string): string | null {
    const { sourceSplit, logNamePrefix, maskBitsV4, maskBitsV6 } = this.#account
    if (sourceSplit === 'none') return null
    const source = sourceSplit === 'mask' ? maskSource(host, maskBitsV4, maskBitsV6) : host
    const prefix = logNamePrefix.trim()
    return prefix === '' ? source : `${prefix} ${source}`
  }

  #folder(levels: readonly string[]): readonly string[] {
    // The log's name is a level, too. Levels beyond are kept together in the last, so that no two
    // paths meet.
    const most = MAX_LEVELS - 1
    const cut =
      levels.length <= most
        ? [...levels]
        : [...levels.slice(0, most - 1), levelOf(levels.slice(most - 1).join(' '))]
    // Decision 3.4: the folder System is ours.
    if (cut[0]?.toLowerCase() === SYSTEM_FOLDER.toLowerCase()) cut[0] = `${cut[0]}_`
    const key = cut.join(LEVEL_SEPARATOR)
    const known = this.#folders.get(key)
    if (known !== undefined) return known
    const folder = cut.map((level) => Buffer.from(level, 'utf8').toString('utf8'))
    if (this.#folders.size >= MAX_KNOWN_ROUTES) this.#folders.clear()
    this.#folders.set(key, folder)
    return folder
  }
}

function levelOf(text: string): string {
  return cleanLevel(text) || UNKNOWN_LEVEL
}
