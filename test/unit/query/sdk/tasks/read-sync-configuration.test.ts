import { describe, expect, it } from 'vitest'
import { readSyncConfiguration } from '../../../../../query/sdk/tasks/read-sync-configuration.ts'

const REPOSITORY = '<SyncLogsRepository repositoryDirectory="/mnt/repo/"/>'
const DIRECTORY = '<SyncLogsDirectory syncDirectory="/var/log"/>'
const NODE = `<SyncLogsNode repositoryDirectory="node-a">${DIRECTORY}</SyncLogsNode>`

const file = (inside: string) => `<SyncLogsConfiguration>${inside}</SyncLogsConfiguration>`
const node = (inside: string) =>
  file(`${REPOSITORY}<SyncLogsNode repositoryDirectory="a">${inside}</SyncLogsNode>`)
const remote = (attributes: string) => node(`<Remote><Account ${attributes}/></Remote>${DIRECTORY}`)
const repository = (attributes: string) => file(`<SyncLogsRepository ${attributes}/>${NODE}`)
const checksum = (attributes: string) => node(`${DIRECTORY}<SyncLogsChecksum ${attributes}/>`)

const GOOD: readonly (readonly [what: string, text: string, accounts: readonly string[]])[] = [
  ['the least', file(REPOSITORY + NODE), []],
  [
    'a head, a byte order mark and comments',
    `\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<!-- mine -->\n${file(REPOSITORY + NODE)}\n`,
    [],
  ],
  ['an account', remote('classKey="x" name="node-a-account"'), ['node-a-account']],
  ['an account without its class', remote("name='ümlaut &amp; &quot;x&quot;'"), ['ümlaut & "x"']],
  [
    'empty texts',
    node('<SyncLogsDirectory syncDirectory="/a" filesToInclude="" subdirsScanLevel=""/>'),
    [],
  ],
  ['days', repository('repositoryDirectory="s3-bucket" timeToKeep="30"'), []],
  ['no days', repository('repositoryDirectory="/r" timeToKeep=""'), []],
  ['checksums', checksum('algorithm="SHA-1" enabled="false" interval="12h"'), []],
]

const REFUSED: readonly (readonly [what: string, text: string, reason: RegExp])[] = [
  ['nothing', ' ', /well-formed|one element/],
  ['no XML', 'repository=/mnt', /well-formed|one element/],
  ['another element at its top', '<Other/>', /"Other" is not an element/],
  ['a part at its top', REPOSITORY, /one element SyncLogsConfiguration/],
  ['two at its top', file(REPOSITORY + NODE).repeat(2), /well-formed|one element/],
  ['an open element', '<SyncLogsConfiguration>', /well-formed/],
  [
    'an attribute twice',
    repository('repositoryDirectory="/a" repositoryDirectory="/b"'),
    /well-formed/,
  ],
  ['text', file(`hello${REPOSITORY}${NODE}`), /must hold no text/],
  ['CDATA', file(`<![CDATA[x]]>${REPOSITORY}${NODE}`), /no CDATA/],
  ['a processing instruction', file(`<?php x ?>${REPOSITORY}${NODE}`), /no processing instruction/],
  ['a DOCTYPE', `<!DOCTYPE a [<!ENTITY b "c">]>${file(REPOSITORY + NODE)}`, /no DOCTYPE/],
  ['a DOCTYPE of another case', `<!doctype a>${file(REPOSITORY + NODE)}`, /no DOCTYPE/],
  ['an entity of its own', remote('name="&secret;"'), /"&secret;" is not an entity/],
  ['a number as entity', remote('name="&#65;"'), /is not an entity/],
  ['an open entity', remote('name="a & b"'), /is not an entity|well-formed/],
  ['no repository', file(NODE), /the element SyncLogsRepository is missing/],
  ['two repositories', file(REPOSITORY + REPOSITORY + NODE), /2 elements SyncLogsRepository/],
  ['no node', file(REPOSITORY), /the element SyncLogsNode is missing/],
  ['no directory of a node', node(''), /the element SyncLogsDirectory is missing/],
  ['a node twice', file(REPOSITORY + NODE + NODE), /"node-a" is there twice/],
  ['a directory at a wrong place', file(REPOSITORY + NODE + DIRECTORY), /does not lie in/],
  ['a node in itself', node(NODE), /must not lie in itself/],
  ['a missing attribute', repository(''), /the attribute repositoryDirectory is missing/],
  ['an empty directory', repository('repositoryDirectory=" "'), /must not be empty/],
  ['a way upwards', repository('repositoryDirectory="/mnt/../etc"'), /must hold no \.\./],
  [
    'no whole days',
    repository('repositoryDirectory="/r" timeToKeep="1.5"'),
    /timeToKeep: must be a whole/,
  ],
  ['too many days', repository('repositoryDirectory="/r" timeToKeep="99999"'), /from 1 to 36500/],
  [
    'an unknown attribute',
    repository('repositoryDirectory="/r" password="x"'),
    /"password" is not an attribute/,
  ],
  [
    'a name of the language',
    repository('repositoryDirectory="/r" constructor="x"'),
    /is not an attribute|well-formed/,
  ],
  [
    'a prototype',
    repository('repositoryDirectory="/r" __proto__="x"'),
    /is not an attribute|well-formed/,
  ],
  [
    'an element of the language',
    file(`<constructor/>${REPOSITORY}${NODE}`),
    /is not an element|well-formed/,
  ],
  ['an account without a name', remote('classKey="x"'), /the attribute name is missing/],
  ['an unknown algorithm', checksum('algorithm="CRC" interval="1h"'), /must be MD5 or SHA-1/],
  ['an interval without a unit', checksum('algorithm="MD5" interval="10"'), /with m, h or d/],
  ['no interval', checksum('algorithm="MD5"'), /the attribute interval is missing/],
  [
    'a wrong flag',
    checksum('algorithm="MD5" interval="1h" enabled="yes"'),
    /must be true or false/,
  ],
]

describe('the file of a log sync task', () => {
  it.each(GOOD)('may have %s', (_what, text, accounts) => {
    expect(readSyncConfiguration(text)).toMatchObject({ accounts })
  })

  it.each(REFUSED)('is refused with %s', (_what, text, reason) => {
    const read = readSyncConfiguration(text)
    expect('fault' in read ? read.fault : 'accepted').toMatch(reason)
  })

  it('becomes a plan', () => {
    const text = `<SyncLogsConfiguration>
      <SyncLogsRepository repositoryDirectory="s3://my vault/kept/" timeToKeep="30"/>
      <SyncLogsChecksum algorithm="MD5" interval="2h"/>
      <SyncLogsNode repositoryDirectory="a">
        <Remote><Account name="edge" classKey="x"/></Remote>
        <SyncLogsChecksum algorithm="SHA-1" interval="1d" retry="0"/>
        <SyncLogsDirectory syncDirectory="/var/log" filesToInclude="*.log, *.gz" subdirsScanLevel="2"/>
      </SyncLogsNode>
      <SyncLogsNode repositoryDirectory="b"><SyncLogsDirectory syncDirectory="/srv"/></SyncLogsNode>
    </SyncLogsConfiguration>`
    const all = {
      ...{ directoriesToInclude: [], directoriesToExclude: [], filesToInclude: [] },
      ...{ filesToExclude: [], scanLevel: null },
    }
    const logs = { ...all, directory: '/var/log', filesToInclude: ['*.log', '*.gz'], scanLevel: 2 }
    expect(readSyncConfiguration(text)).toEqual({
      accounts: ['edge', 'my vault'],
      plan: {
        repository: { account: 'my vault', prefix: 'kept' },
        timeToKeep: 30,
        nodes: [
          {
            ...{ directory: 'a', account: 'edge', directories: [logs] },
            checksum: { algorithm: 'SHA-1', intervalMs: 86_400_000, retry: 0 },
          },
          {
            ...{ directory: 'b', account: '', directories: [{ ...all, directory: '/srv' }] },
            checksum: { algorithm: 'MD5', intervalMs: 7_200_000, retry: 3 },
          },
        ],
      },
    })
  })

  it('is refused soon when it is nested without end', () => {
    const open = '<a>'.repeat(30_000)
    expect(readSyncConfiguration(open + '</a>'.repeat(30_000))).toHaveProperty('fault')
    const known = '<Remote>'.repeat(10_000) + '</Remote>'.repeat(10_000)
    expect(readSyncConfiguration(file(known))).toHaveProperty('fault')
  })
})
