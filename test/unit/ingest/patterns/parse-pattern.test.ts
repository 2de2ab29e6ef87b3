import { describe, expect, it } from 'vitest'
import { parsePattern } from '../../../../ingest/patterns/language/parse-pattern.ts'
import { PatternFault } from '../../../../ingest/patterns/language/pattern.ts'

function elementsOf(text: string) {
  return parsePattern(text).elements.map((element) => {
    if (element.kind === 'literal') return element.text
    if (element.kind === 'block') return { block: element.elements.length }
    const { type, name, attributes, format } = element
    return { type, name, ...attributes, ...(format === '' ? {} : { format }) }
  })
}

describe('parsePattern', () => {
  it.each([
    ['{text:Message}', [{ type: 'text', name: 'Message' }]],
    ['{ip:Remote IP,ftype=remoteip}', [{ type: 'ip', name: 'Remote IP', ftype: 'remoteip' }]],
    [
      '{date:Date,locale=en;timeDiff=-1000;,dd/MMM/yyyy:HH:mm:ss z}',
      [
        {
          ...{ type: 'date', name: 'Date', locale: 'en', timeDiff: '-1000' },
          format: 'dd/MMM/yyyy:HH:mm:ss z',
        },
      ],
    ],
    [
      '{date:D,yyyy-MM-dd HH:mm:ss,SSS}',
      [{ type: 'date', name: 'D', format: 'yyyy-MM-dd HH:mm:ss,SSS' }],
    ],
    [
      '{date:D,dd/MMM/yyyy;yyyy-MM-dd}',
      [{ type: 'date', name: 'D', format: 'dd/MMM/yyyy;yyyy-MM-dd' }],
    ],
    [
      '{choice:Method,ftype=reqmethod;,GET;POST}',
      [{ type: 'choice', name: 'Method', ftype: 'reqmethod', format: 'GET;POST' }],
    ],
    ['{choice:X,,a=1;b=2}', [{ type: 'choice', name: 'X', format: 'a=1;b=2' }]],
    ['{priority:Level,WARN;ERROR}', [{ type: 'priority', name: 'Level', format: 'WARN;ERROR' }]],
    [
      '{url:URL,paramsFtype=querystring;ftype=requrl;paramsName=Query;,}',
      [
        {
          ...{ type: 'url', name: 'URL', paramsFtype: 'querystring' },
          ...{ ftype: 'requrl', paramsName: 'Query' },
        },
      ],
    ],
    ['app.log{string}', ['app.log', { type: 'string', name: '' }]],
    ['{{{text:A}}}', ['{', { type: 'text', name: 'A' }, '}']],
    ['a{{b}}{text:A}', ['a{b}', { type: 'text', name: 'A' }]],
    ['{choice:A,x}};y}', [{ type: 'choice', name: 'A', format: 'x};y' }]],
    ['{text:A}{tab}{number:B}', [{ type: 'text', name: 'A' }, '\t', { type: 'number', name: 'B' }]],
    [
      '{text:A}{block,start,emptiness=true} {number:B}{block,end,emptiness=true}',
      [{ type: 'text', name: 'A' }, { block: 2 }],
    ],
  ])('reads %s', (text, elements) => {
    expect(elementsOf(text)).toEqual(elements)
  })

  it.each([
    ['', 0, 'write at least one column'],
    ['plain text', 0, 'write {text:Message}'],
    ['a {text:A', 2, 'the { has no }'],
    ['a } {text:A}', 2, 'write }} for a brace'],
    ['a {constructor}', 2, 'there is no type "constructor"; write one of string, text'],
    ['a {__proto__}', 2, 'there is no type "__proto__"; write one of string, text'],
    ['a {txt:A}', 2, 'there is no type "txt"; write one of string, text'],
    ['{text:A{number:B}', 7, 'end the column before it'],
    ['{text:A} {text:a}', 9, 'the column a stands twice'],
    ['{text:A}{string:B}', 8, 'nothing tells where {text:A} ends'],
    ['{date:D}', 0, 'date needs a format'],
    ['{date:D,yyyy-MM-dd QQ}', 0, 'the letter Q is not known'],
    ["{date:D,yyyy 'at}", 0, 'a quote is open'],
    ['{date:D,locale=xx_;,yyyy}', 0, '"xx_" is no locale'],
    ['{date:D,zone=UTC;,yyyy}', 0, 'date has no attribute zone; it takes ftype'],
    ['{number:N,##0}', 0, 'number takes no format'],
    ['{choice:C}', 0, 'write {choice:Name,A;B;C}'],
    ['{choice:C,A;A}', 0, 'a value stands twice'],
    ['{timestamp:T,product=0}', 0, 'product must be at least 1'],
    ['{timestamp:T,product=ten}', 0, '"ten" is no whole number'],
    ['{ip:A,ftype=remote ip}', 0, '"remote ip" is no ftype'],
    ['{ip:A,ftype=a;ftype=b}', 0, 'the attribute ftype stands twice'],
    ['{text:A} {eoe} x', 14, 'write nothing after it'],
    ['{text:A} {block,start} x', 9, 'the block has no end'],
    ['{text:A} {block,end}', 9, 'a block ends that has not begun'],
    ['{text:A} {block,begin}', 9, 'a block is written {block,start'],
    ['{text:A} {block,start}{block,end}', 9, 'the block is empty'],
    ['{block,start}{text:A}{eoe}{block,end}', 21, 'write it at the end of the pattern'],
    ['{pairs:P,separator=dash}', 0, 'separator must be one of space'],
  ])('refuses %s, saying where and the way out', (text, at, reason) => {
    expectFault(text, at, reason)
  })

  it('refuses what is too long, too much or too deep', () => {
    expectFault(`{text:${'n'.repeat(256)}}`, 0, 'at most 255 characters')
    expectFault('{text:A} '.repeat(2000), 16_384, 'at most 16384 characters')
    expectFault(`{text:A}${'{tab}{number}'.repeat(130)}`, 1625, 'at most 250 elements')
    expectFault('{block,start}'.repeat(9), 104, 'at most 8 deep')
  })
})

function expectFault(text: string, at: number, reason: string): void {
  try {
    parsePattern(text)
  } catch (error) {
    expect(error).toBeInstanceOf(PatternFault)
    if (!(error instanceof PatternFault)) return
    expect(error.reason).toContain(reason)
    expect(error.at).toBe(at)
    return
  }
  expect.unreachable('the pattern was taken')
}
