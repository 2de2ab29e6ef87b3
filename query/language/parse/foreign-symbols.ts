// Signs that cannot stand where they do, because somebody wrote another language.

import { builtInColumn } from '../built-in-columns.ts'
import { describeCall } from '../check/foreign/foreign-calls.ts'
import { printQuoted } from '../print/print-words.ts'
import type { Input } from './input.ts'

/** Characters before a sign that are looked at. */
const MAX_LOOKED_AT = 400

/** `like(message, "%x%")`, `strlen(message) > 5`, `error, fatal`. Throws Failure `search.query`. */
export function raiseAtSymbol(input: Input, symbol: string): never {
  const { start } = input.token()
  const from = Math.max(0, start - MAX_LOOKED_AT)
  const before = input.text.slice(from, start)
  const [, name = ''] =
    /([\p{L}_][\p{L}\p{N}_]*)\((?:[^()]|\([^()]*\))*$/u.exec(before) ??
    /([\p{L}_][\p{L}\p{N}_]*)\((?:[^()]|\([^()]*\))*\)\s*$/u.exec(before) ??
    []
  if (name !== '' && symbol !== '[' && !/^(?:and|or|not|in|if)$/i.test(name))
    return input.raise(describeCall(name), from + before.lastIndexOf(`${name}(`))
  if (symbol === ',') return input.raise(`, must be quoted here: ${aboutCommas(before)}`)
  if (symbol === '[') return input.raise('[ must be quoted here')
  return input.raise(`the operator ${symbol} stands without a column`)
}

function aboutCommas(before: string): string {
  const isList = /\sin\s+[^\s(),|]+\s*$/i.test(before)
  return isList
    ? 'a list stands in parentheses, column in (a, b)'
    : 'between conditions stands and or or, several values are written column in (a, b)'
}

const QUOTED = String.raw`(?:"((?:[^"\\]|\\.)*)"|\`([^\`]*)\`)`
const LABEL = new RegExp(String.raw`(?<![@\w.])([@\w.]+)\s*(=~|!~|!=|=)\s*${QUOTED}`, 'g')
/** Filters of the text, and of labels after `| json`. */
const FILTER = new RegExp(
  String.raw`(?:([\w.]+)\s*)?(\|=|\|~|!=|!~|=~|>=|<=|=|>|<)\s*(?:${QUOTED}|([\d.]+\b))`,
  'g',
)
/** Of braces and filters: FILTER takes time by the square of it. */
const MAX_LABEL_CHARACTERS = 800
/** What stands between the filters and says nothing here. */
const PARSERS = /\|\s*(?:json|logfmt|unpack)\b|\||\s/g

/** `{app="cart"} |= "timeout"`. Throws Failure `search.query`. */
export function raiseAtBrace(input: Input, start: number): never {
  const text = input.text.slice(start, start + MAX_LABEL_CHARACTERS)
  const [selector = '', inside = ''] = /^\{([^}]*)\}?/.exec(text) ?? []
  const rest = text.slice(selector.length)
  const labels = [...inside.matchAll(LABEL)].map(([, name = '', operator = '', quoted, ticked]) =>
    writeLabel(name, operator, printQuoted(anchored(operator, read(quoted, ticked)))),
  )
  const filters = [...rest.matchAll(FILTER)].map(
    ([, name, operator = '', quoted, ticked, number]) => {
      if (name === undefined) return writeLine(operator, read(quoted, ticked) || (number ?? ''))
      const value = number ?? printQuoted(anchored(operator, read(quoted, ticked)))
      return writeLabel(name, operator, value)
    },
  )
  const isWhole = rest.replaceAll(FILTER, '').replaceAll(PARSERS, '') === ''
  const write = [...labels, ...filters].join(' ')
  const way = write === '' || write.length > 200 ? 'write column = value' : `write ${write}`
  const more = isWhole ? '' : ' (not all of it is told here)'
  return input.raise(
    `labels in braces are not known: ${way}${more}, and the logs that are searched after in, such as in log.web`,
    start,
  )
}

/** LogQL undoes a backslash in "…", and nothing in `…`. */
function read(quoted: string | undefined, ticked: string | undefined): string {
  return quoted === undefined ? (ticked ?? '') : quoted.replaceAll(/\\(.)/g, '$1')
}

/** A regular expression is of the whole value there. */
function anchored(operator: string, value: string): string {
  return operator.endsWith('~') ? `^(${value})$` : value
}

function writeLabel(name: string, operator: string, value: string): string {
  const builtIn = builtInColumn(name)
  const isOther = builtIn !== undefined && builtIn !== 'host' && builtIn !== 'message'
  const column = isOther ? `column.${name}` : name
  if (!operator.endsWith('~')) return `${column} ${operator} ${value}`
  return `${column} ${operator === '=~' ? '' : 'not '}matches ${value}`
}

function writeLine(operator: string, value: string): string {
  const test = `message ${operator.endsWith('~') ? 'matches' : 'contains'} ${printQuoted(value)}`
  return operator.startsWith('!') ? `not ${test}` : test
}
