import * as fc from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import {
  printAnswer,
  replaceUnprintable,
  toCsvData,
  toXmlData,
} from '../../../../query/search/print/xml.ts'

const reader = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#text',
  parseTagValue: false,
  trimValues: false,
  processEntities: true,
  htmlEntities: true,
  isArray: (name) => name === 'Row' || name === 'Cell',
})

const HOSTILE = [
  ']]>',
  ']]]]>>]]>',
  '<script>&amp;</script>',
  '&#0;',
  'a\u0000b\u0001\u0008\u000b\u000c\u001f',
  '\u007f\u0085',
  '\ud800',
  '\udc00\ud800',
  'x\ufffe\uffff',
  '"quoted", and \'single\'',
  'line\nfeed',
  'carriage\r\nreturn\r',
  '\ttab ',
  'مرحبا \u202eright to left',
  '😀 \u{10ffff}',
  '<![CDATA[inner]]>',
  '<!-- -->',
  '<?xml version="1.0"?>',
]

function answerWith(data: string): string {
  return printAnswer({ state: 'OK', token: '', numberOfResults: 1, data })
}

describe('the answer document', () => {
  it('says OK with state, token and number in this order', () => {
    expect(printAnswer({ state: 'OK', token: '', numberOfResults: 7, data: '' })).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<APIResult>\n<Status state="OK" token="" numberOfResults="7"/>\n<Data></Data>\n</APIResult>\n',
    )
  })

  it('names the token of a paging, and the file where the rows are in their place', () => {
    const answer = { state: 'OK', token: 'T&1', numberOfResults: 7 } as const
    expect(printAnswer({ ...answer, url: 'http://a/b?c&d' })).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<APIResult>\n<Status state="OK" token="T&amp;1" numberOfResults="7"><Url>http://a/b?c&amp;d</Url></Status>\n<Data/>\n</APIResult>\n',
    )
  })

  it('says Fail with the code as attribute and before the reason', () => {
    expect(printAnswer({ state: 'Fail', code: 3, reason: 'a < b & "c"' })).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<APIResult>\n<Status state="Fail" token="" numberOfResults="0"><Message code="3">3: a &lt; b &amp; "c"</Message></Status>\n<Data/>\n</APIResult>\n',
    )
  })

  it('prints a missing cell as an empty element', () => {
    expect(toXmlData({ columns: ['a', 'b', 'c'], rows: [['1', undefined, '']] })).toBe(
      '<Row><Cell name="a">1</Cell><Cell name="b"/><Cell name="c"/></Row>\n',
    )
  })

  it.each(HOSTILE)('is well formed around the cell and the name %j', (text) => {
    const table = { columns: [text, 'plain'], rows: [[text, 'x']] }
    for (const document of [answerWith(toXmlData(table)), answerWith(toCsvData(table))]) {
      expect(XMLValidator.validate(document)).toBe(true)
      expect(document).toBe(replaceUnprintable(document))
      // A parser turns every literal carriage return into a line feed: none may stand there.
      expect(document).not.toContain('\r')
    }
  })

  it.each(HOSTILE)('gives a reader back the cell %j, what XML cannot carry as U+FFFD', (text) => {
    const document = reader.parse(answerWith(toXmlData({ columns: ['x'], rows: [[text]] })))
    expect(document.APIResult.Data.Row[0].Cell[0]['#text']).toBe(replaceUnprintable(text))
  })

  it('keeps `]]>` of CSV by splitting the section', () => {
    const data = toCsvData({ columns: ['x'], rows: [['a]]>b']] })
    expect(data).toBe('<![CDATA[x\na]]]]><![CDATA[>b\n]]>')
    expect(reader.parse(answerWith(data)).APIResult.Data).toBe('x\na]]>b\n')
  })

  it('keeps a carriage return of CSV outside the section', () => {
    const data = toCsvData({ columns: ['x'], rows: [['a\r\nb']] })
    expect(data).toBe('<![CDATA[x\n"a]]>&#13;<![CDATA[\nb"\n]]>')
  })

  it('escapes line ends in names, which a reader would turn into spaces', () => {
    expect(toXmlData({ columns: ['a\r\n\tb'], rows: [['1']] })).toContain('name="a&#13;&#10;&#9;b"')
  })

  it('is well formed around every text', () => {
    void fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const data = toXmlData({ columns: [text], rows: [[text]] })
        expect(XMLValidator.validate(answerWith(data))).toBe(true)
      }),
    )
  })
})
