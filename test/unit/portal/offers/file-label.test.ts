// Names of files as labels, and in the header that hands them to a browser.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { printDisposition, toLabel } from '../../../../portal/offers/attachments/file-label.ts'

it('a label is the last part of a path, without what nobody sees', () => {
  for (const [given, label] of [
    ['Terms.pdf', 'Terms.pdf'],
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\Users\\me\\Terms.pdf', 'Terms.pdf'],
    ['a\r\nSet-Cookie: x=1.pdf', 'aSet-Cookie_ x=1.pdf'],
    ['a"b<c>|d?.pdf', 'a_b_c__d_.pdf'],
    ['\u202egpj.exe\u202c.pdf', 'gpj.exe.pdf'],
    ['a\u200b\ufeffb\0.pdf', 'ab.pdf'],
    ['  ..hidden .pdf. ', 'hidden .pdf'],
    ['Gru\u0308ße €.pdf', 'Gr\u00fcße €.pdf'],
    ['\ud800x.pdf', 'x.pdf'],
    [`${'long '.repeat(100)}.pdf`, `${'long '.repeat(29)}l.pdf`],
  ] as const)
    expect(toLabel(given), given).toBe(label)
  for (const none of ['', '.', '..', '/', 'a/', '\u202e', ' ', '...'])
    expect(toLabel(none)).toBeUndefined()
})

it('its header has two names, and nothing that ends them', () => {
  expect(printDisposition('Gr\u00fcße "1".pdf')).toBe(
    `attachment; filename="Gru_e _1_.pdf"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22.pdf`,
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (given) => {
      const label = toLabel(given)
      if (label === undefined) return
      const printed = printDisposition(label)
      const parts = /^attachment; filename="([^"\\]*)"; filename\*=UTF-8''([\w.~%-]+)$/.exec(
        printed,
      )
      expect(parts, printed).not.toBeNull()
      expect(decodeURIComponent(parts?.[2] ?? '')).toBe(label)
      expect(new Headers({ x: printed }).get('x')).toBe(printed)
    }),
  )
})
