import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SETTINGS } from '../../../../infra/config.ts'
import { configSchema } from '../../../../infra/config-schema.ts'
import {
  CLOSED_SETTINGS,
  fixedPartOf,
  futureRealPath,
  isClosed,
  isWithin,
  makePathRules,
} from '../../../../infra/files/path-rules.ts'

/** Paths that hold nothing secret, or name what may be read. */
const OPEN_SETTINGS = ['geoip.file', 'collect.readRoots', 'collect.copyRoots']

let root = ''
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'logeye-test-paths-')))
  mkdirSync(join(root, 'there'))
  symlinkSync('there', join(root, 'link'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('path rules', () => {
  it('close every path of the configuration, or say why not', () => {
    const named = /(?:[dD]ir|[fF]ile|[dD]irectories|Roots|objectsUrl|headsUrl)$/
    const paths = SETTINGS.map(({ path }) => path).filter((path) => named.test(path))
    expect(paths.toSorted()).toEqual([...CLOSED_SETTINGS, ...OPEN_SETTINGS].toSorted())
  })

  it('close the program, its configuration and what the settings name', () => {
    const at = (name: string) => join(root, name)
    const config = configSchema.parse({
      ...{ dataDir: at('data'), backupDir: at('backups') },
      http: { keyFile: at('http.key'), certificateFile: at('http.pem') },
      oidc: { clientSecretFile: at('oidc') },
      secrets: { keyFile: at('keys') },
      store: { directories: [at('disk')] },
      portal: { objectsUrl: `file://${at('objects')}` },
      evidence: { headsUrl: `file://${at('heads')}` },
    })
    const rules = makePathRules(config, at('logeye.json'))
    const names = ['data/logs', 'backups', 'http.key', 'http.pem', 'oidc', 'keys', 'disk/x']
    for (const name of [...names, 'objects', 'heads', 'logeye.json'])
      expect([name, isClosed(at(name), rules)]).toEqual([name, true])
    for (const path of ['/proc/1/environ', '/sys', '/dev/mem', import.meta.filename])
      expect([path, isClosed(path, rules)]).toEqual([path, true])
    for (const path of [at('other'), '/dev/shm/a', '/devices'])
      expect([path, isClosed(path, rules)]).toEqual([path, false])
  })

  it('open /var/log for reading and nothing for copies by default', () => {
    const { readRoots, copyRoots } = makePathRules(configSchema.parse({}), undefined)
    expect(readRoots).toContain('/var/log')
    expect(copyRoots).toEqual([])
  })

  it('hold a root as it is written and where it leads', () => {
    const config = configSchema.parse({ collect: { readRoots: [join(root, 'link')] } })
    const { readRoots } = makePathRules(config, undefined)
    expect(readRoots).toEqual([join(root, 'link'), join(root, 'there')])
  })

  it('take whole paths only', () => {
    for (const name of ['readRoots', 'copyRoots'])
      expect(configSchema.safeParse({ collect: { [name]: ['logs'] } }).success).toBe(false)
  })
})

it.each([
  ['/var/log', true],
  ['/var/log/a/b', true],
  ['/var/logs', false],
  ['/var', false],
])('%s is within /var/log: %s', (path, expected) => {
  expect(isWithin(path, ['/var/log'])).toBe(expected)
  expect(isWithin(path, ['/'])).toBe(true)
})

it.each([
  ['/var/log/app.log', '/var/log/app.log'],
  ['/var/log/../../etc/shadow', '/etc/shadow'],
  ['/var/log/*/app.log', '/var/log'],
  ['/var/log/app-{date,yyyy/MM}.log', '/var/log'],
  ['/var/l?g/app.log', '/var'],
  ['/*', '/'],
])('the fixed part of %s is %s', (pattern, expected) => {
  expect(fixedPartOf(pattern)).toBe(expected)
})

it('follows links to where a path will be', async () => {
  expect(await futureRealPath(join(root, 'link/new/deep'))).toBe(join(root, 'there/new/deep'))
  expect(await futureRealPath(join(root, 'new'))).toBe(join(root, 'new'))
})
