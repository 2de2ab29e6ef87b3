import { describe, expect, it } from 'vitest'
import { type Manifest, parseManifest, printManifest } from '../../../../infra/backup/manifest.ts'

const HEAD = {
  format: 1,
  version: '0.1.0',
  dataFormat: 2,
  databaseNumber: 11,
  madeMs: 1,
  partitions: [{ next: 3, end: 5, metadata: '{"a":1}' }],
  events: 7,
}
const sha256 = 'a'.repeat(64)
const MANIFEST: Manifest = {
  head: HEAD,
  entries: [
    { path: 'store/metadata/default', link: '../store/487' },
    { path: 'logeye.db', bytes: 4, sha256 },
  ],
}

describe('the manifest of a backup', () => {
  it('is read as it was printed', () => {
    expect(parseManifest(printManifest(MANIFEST))).toEqual(MANIFEST)
  })

  it('is refused when it is cut or changed anywhere', () => {
    const text = printManifest(MANIFEST)
    for (let at = 0; at < text.length; at += 1) {
      expect(() => parseManifest(text.slice(0, at))).toThrow('manifest is not whole')
      const changed = `${text.slice(0, at)}~${text.slice(at + 1)}`
      expect(() => parseManifest(changed), `${at}`).toThrow('manifest is not whole')
    }
  })

  it.each(['../out', '/etc/passwd', 'a//b', 'a/./b', 'a/../../b', '', 'a\\b', 'a\0b'])(
    'names no file outside of it: %j',
    (path) => {
      const text = printManifest({ head: HEAD, entries: [{ path, bytes: 0, sha256 }] })
      expect(() => parseManifest(text)).toThrow('manifest is not whole')
    },
  )

  it('of a newer program is refused as such', () => {
    const text = printManifest({ ...MANIFEST, head: { ...HEAD, format: 9 } })
    expect(() => parseManifest(text)).toThrow('a newer version of the product made it (format 9')
  })
})
