// Which files and directories of this machine the product reads, and where it copies to, for its
// users (docs/decisions/0138). Roots are open to users with the operation; other paths are an
// administrator's to give; closed ones are refused to everybody.
import { existsSync, realpathSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config-schema.ts'
import { keyFileOf } from '../secrets/key-file-of.ts'

/** Whole paths, as they are configured and where links lead. */
export type PathRules = {
  readonly readRoots: readonly string[]
  readonly copyRoots: readonly string[]
  /** Of the product; those of the system are closed besides. */
  readonly closed: readonly string[]
}

/** The environment of processes, devices, and files that change the system when they are read. */
const SYSTEM = ['/proc', '/sys', '/dev']
/** A directory of files in memory. */
const NO_DEVICES = ['/dev/shm']

type Paths = (config: Config) => readonly (string | undefined)[]
/** By setting: the product's own files, with the secrets among them. */
const CLOSED: Readonly<Record<string, Paths>> = {
  dataDir: ({ dataDir }) => [dataDir],
  backupDir: ({ backupDir }) => [backupDir],
  'store.directories': ({ store }) => store.directories,
  'secrets.keyFile': (config) => [keyFileOf(config)],
  'http.keyFile': ({ http }) => [http.keyFile],
  'http.certificateFile': ({ http }) => [http.certificateFile],
  'oidc.clientSecretFile': ({ oidc }) => [oidc.clientSecretFile],
  'portal.objectsUrl': ({ portal }) => [pathOfUrl(portal.objectsUrl?.reveal())],
  'evidence.headsUrl': ({ evidence }) => [pathOfUrl(evidence.headsUrl?.reveal())],
}
export const CLOSED_SETTINGS: readonly string[] = Object.keys(CLOSED)

export function makePathRules(config: Config, configFile: string | undefined): PathRules {
  const own = Object.values(CLOSED).flatMap((pathsOf) => pathsOf(config))
  const closed = [programFolder(), configFile, ...own]
  return {
    readRoots: config.collect.readRoots.flatMap(withReal),
    copyRoots: config.collect.copyRoots.flatMap(withReal),
    closed: closed.flatMap((path) => (path === undefined ? [] : withReal(path))),
  }
}

/** Whether the path, without links and dots, is one of the roots or below it. */
export function isWithin(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => path === root || path.startsWith(root === '/' ? '/' : `${root}/`))
}

/** Of the product or of the system: read, listed and written to by nobody. */
export function isClosed(path: string, { closed }: Pick<PathRules, 'closed'>): boolean {
  return isWithin(path, closed) || (isWithin(path, SYSTEM) && !isWithin(path, NO_DEVICES))
}

/** Of a path with wildcards the directory before the first of them; without links resolved. */
export function fixedPartOf(pattern: string): string {
  const wild = pattern.search(/[*?[{]/)
  return resolve(wild < 0 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', wild) + 1))
}

/** Where the path will lead once it is made: links of what is there already are followed. */
export async function futureRealPath(path: string): Promise<string> {
  const whole = resolve(path)
  try {
    return await realpath(whole)
  } catch {
    const parent = dirname(whole)
    return parent === whole ? whole : join(await futureRealPath(parent), basename(whole))
  }
}

function withReal(path: string): readonly string[] {
  const whole = resolve(path)
  return existsSync(whole) ? [...new Set([whole, realpathSync(whole)])] : [whole]
}

function pathOfUrl(url: string | undefined): string | undefined {
  return url?.startsWith('file://') === true ? fileURLToPath(url) : undefined
}

/** The folder of the package. This file runs from the sources and from dist/. */
function programFolder(): string | undefined {
  const folders = ['../..', '../../..'].map((up) => fileURLToPath(new URL(up, import.meta.url)))
  return folders.find((folder) => existsSync(join(folder, 'package.json')))
}
