import { describe, expect, it } from 'vitest'
import { PairScanner } from '../../../../ingest/patterns/values/pair-scanner.ts'

function pairsOf(text: string, separator = ' ', equals = '='): string[] {
  const scanner = new PairScanner()
  const bytes = Buffer.from(text)
  const code = (character: string) => character.charCodeAt(0)
  scanner.begin(bytes, 0, bytes.length, code(separator), code(equals))
  const pairs: string[] = []
  while (scanner.next()) {
    const key = bytes.toString('utf8', scanner.keyStart, scanner.keyEnd)
    const value = bytes.toString('utf8', scanner.valueStart, scanner.valueEnd)
    pairs.push(`${key}>${value}${scanner.isEscaped ? '!' : ''}`)
  }
  return pairs
}

describe('PairScanner', () => {
  it.each([
    ['a=1 b=2', ['a>1', 'b>2']],
    ['level=info msg="a b" done', ['level>info', 'msg>a b']],
    ['msg="a \\"b\\" c" x=', ['msg>a \\"b\\" c!', 'x>']],
    ["a='b c'  d=e", ['a>b c', 'd>e']],
    ['a="open b=2', ['a>"open', 'b>2']],
    ['= =a b==c', ['b>=c']],
    ['größe=1 k8s.io/x-y_z=ü', ['größe>1', 'k8s.io/x-y_z>ü']],
  ])('reads %s', (text, pairs) => {
    expect(pairsOf(text)).toEqual(pairs)
  })

  it('reads other separators and signs', () => {
    expect(pairsOf('TTY=pts/6 ; COMMAND=/usr/bin/tail -f x', ';')).toEqual([
      ...['TTY>pts/6', 'COMMAND>/usr/bin/tail -f x'],
    ])
    expect(pairsOf('a: 1, b: x y', ',', ':')).toEqual(['a>1', 'b>x y'])
  })
})
