// Which bytes are taken under which name; each file also in pieces of every size.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findFileType } from '../../../../portal/offers/attachments/types/file-types.ts'
import {
  JPEG,
  makePdf,
  makePng,
  makeZip,
  officeEntries,
  SAMPLES,
  type ZipEntry,
} from '../../../support/portal/sample-files.ts'

const ANY = 'application/octet-stream'
function check(name: string, bytes: Uint8Array, called = ANY, pieceBytes = 65_536): string {
  try {
    const inspector = findFileType(name, called).inspect()
    for (let at = 0; at < bytes.length; at += pieceBytes)
      inspector.add(bytes.subarray(at, at + pieceBytes))
    inspector.end()
    return 'taken'
  } catch (error) {
    return error instanceof Error && error.name === 'Failure' ? error.message : 'broke'
  }
}

const zipped = (...more: readonly ZipEntry[]) => makeZip([...officeEntries('docx'), ...more])
const ZIP = zipped()
const HTML = '<html><script>alert(1)</script></html>'

describe('files', () => {
  it('of each kind are taken, in pieces of any size', () => {
    for (const [name, bytes] of Object.entries(SAMPLES))
      for (const size of [1, 2, 7, 8, 9, 30, 65_536])
        expect(check(name, bytes, ANY, size), `${name} ${size}`).toBe('taken')
  })

  it('are refused under every name but their own', () => {
    const kinds = ['pdf', 'png', 'jpg', 'docx', 'xlsx', 'pptx', 'txt', 'exe', 'html', 'svg', 'zip']
    for (const [name, bytes] of Object.entries(SAMPLES)) {
      const own = name.split('.').at(-1)?.toLowerCase() ?? ''
      const isText = ['txt', 'csv', 'md'].includes(own)
      for (const kind of kinds) {
        const isSame =
          kind === own || (isText && kind === 'txt') || (own === 'jpeg' && kind === 'jpg')
        const seen = check(`x.${kind}`, bytes)
        if (isSame) expect(seen, `${name} as ${kind}`).toBe('taken')
        else expect(seen, `${name} as ${kind}`).toMatch(/^the file is not taken: /)
      }
    }
    for (const name of ['pdf', 'x', 'x.', 'x.pdf.exe', 'x.docm', 'x.pdf ', 'x.pdf\0'])
      expect(check(name, makePdf()), name).toMatch(/its name must end/)
  })

  it('are refused where the sender calls them something else', () => {
    expect(check('x.pdf', makePdf(), 'application/pdf')).toBe('taken')
    expect(check('x.csv', Buffer.from('a'), 'application/vnd.ms-excel')).toBe('taken')
    for (const called of ['text/html', 'image/png', 'application/x-msdownload'])
      expect(check('x.pdf', makePdf(), called)).toMatch(/Content-Type/)
  })

  it('that are two formats are refused', () => {
    const bad: [string, Buffer][] = [
      ['x.txt', Buffer.from(`GIF89a/*${HTML}*/=1`)],
      ['x.pdf', Buffer.from(`GIF89a${HTML}`)],
      ['x.pdf', Buffer.concat([makePdf(), ZIP])],
      ['x.docx', Buffer.concat([makePdf(), ZIP])],
      ['x.pdf', makePdf(ZIP)],
      ['x.pdf', Buffer.concat([Buffer.from(HTML), makePdf()])],
      ['x.pdf', Buffer.concat([makePdf(), Buffer.from(HTML)])],
      ['x.png', Buffer.concat([makePng(), ZIP])],
      ['x.png', Buffer.concat([makePng(), Buffer.from(HTML)])],
      ['x.png', makePng(ZIP)],
      ['x.jpg', Buffer.concat([JPEG, ZIP])],
      ['x.jpg', Buffer.concat([JPEG, ZIP, Buffer.from('ffd9', 'hex')])],
      ['x.docx', Buffer.concat([ZIP, Buffer.from(HTML)])],
      ['x.docx', makeZip(officeEntries('docx'), 'a comment')],
      ['x.docx', Buffer.concat([Buffer.from('MZ'), ZIP])],
      ['x.docx', Buffer.concat([ZIP.subarray(0, 4), ZIP])],
      ['x.docx', Buffer.concat([ZIP, ZIP])],
    ]
    for (const [name, bytes] of bad)
      expect(check(name, bytes), bytes.toString('latin1').slice(0, 40)).toMatch(/^the file is not/)
  })

  it('that unpack to more than they say, hide, or lead elsewhere are refused', () => {
    const bad: [string, Buffer][] = [
      ['bomb', zipped({ name: 'word/big.xml', unpacked: 0xfffffff0 })],
      ['many halves', zipped(...[1, 2, 3].map((at) => ({ name: `${at}`, unpacked: 2 ** 28 })))],
      ['one in another', zipped({ name: 'word/a.xml', at: 0 }, { name: 'word/b.xml', at: 10 })],
      ['encrypted', zipped({ name: 'word/a.xml', flags: 1 })],
      ['macros', zipped({ name: 'word/vbaProject.bin' })],
      ['twice', zipped({ name: 'Word/Document.xml' })],
      ['too many', makeZip(Array.from({ length: 10_001 }, (_, at) => ({ name: `${at}` })))],
      ...['../x', '/etc/x', 'a/../../x', 'C:x', 'a\\b', '', 'a\0b'].map(
        (name): [string, Buffer] => [`name ${name}`, zipped({ name })],
      ),
      ['not a document', makeZip([{ name: '[Content_Types].xml' }, { name: 'x' }])],
      ['no list', ZIP.subarray(0, 60)],
      ['only its end', ZIP.subarray(-22)],
    ]
    for (const [what, bytes] of bad)
      expect(check('x.docx', bytes), what).toMatch(/^the file is not taken/)
  })

  it('of text have characters that are seen, in UTF-8', () => {
    const bad = [
      'a\0b',
      '\x1b[31m',
      'a\x7f',
      '\u0085',
      HTML,
      '  <!DOCTYPE html>',
      '<?php',
      '#!/bin/sh',
    ]
    for (const text of bad) expect(check('x.txt', Buffer.from(text)), text).not.toBe('taken')
    for (const hex of ['ff', 'c3', 'eda080', 'f4908080', 'c080', 'fffe6100'])
      expect(check('x.md', Buffer.from(hex, 'hex')), hex).toMatch(/UTF-8/)
    // Cut between the bytes of a letter.
    expect(check('x.txt', Buffer.from('aß€😀'), ANY, 1)).toBe('taken')
    expect(check('x.txt', Buffer.from('1 < 2 and <b>'))).toBe('taken')
  })

  it('whatever they hold, are taken or refused and nothing else', () => {
    const names = fc.constantFrom(...Object.keys(SAMPLES))
    fc.assert(
      fc.property(names, fc.uint8Array({ maxLength: 200 }), fc.nat(300), (name, noise, at) => {
        const sample = SAMPLES[name] ?? Buffer.alloc(0)
        const bytes = Buffer.from(sample)
        bytes.set(noise.subarray(0, Math.max(0, bytes.length - at)), Math.min(at, bytes.length))
        expect(check(name, bytes)).not.toBe('broke')
        expect(check(name, noise)).not.toBe('broke')
        expect(check(name, sample.subarray(0, at))).not.toBe('broke')
      }),
    )
  })
})
