// Paths of the files of a log: `*` and `?` in a name, `**` for any directories, `[a-z]` for one
// character, and the braces of file name patterns (product facts 3): `{string}`,
// `{date,dd-MM-yyyy}`, and `{rotation}`. A directory stands for the files in it.
const WILD = /[*?[{]/
/** What a rotation puts behind a name: a number or date, and how it is packed. */
const ROTATION = '(?:[.-]\\d[\\d-]*)?(?:\\.(?:gz|zst|bz2|xz))?'
const AT_END = new RegExp(`${ROTATION}$`, 'u')

/** `app.log` of `app.log.1`, `app.log-20260101.gz`. */
export function seriesOf(name: string): string {
  const series = name.replace(AT_END, '')
  return series === '' ? name : series
}

/** A path as a pattern that takes it alone. */
export function escapePath(path: string): string {
  return path.replace(/[*?[{]/g, '[$&]')
}

export type PathPattern = {
  /** What lies before the first level with a wildcard. */
  readonly root: string
  /** Levels below the root; '**' is any number of them. [] is the root itself. */
  readonly levels: readonly (RegExp | '**')[]
}

/** `path`: from the root of this machine. Throws RangeError with a text for operators. */
export function parsePathPattern(path: string): PathPattern {
  const levels = splitLevels(path.replace(/\/+$/, '/'))
  const firstWild = levels.findIndex((level) => WILD.test(level))
  const rootLevels = firstWild < 0 ? levels : levels.slice(0, firstWild)
  const root = rootLevels.join('/') || '/'
  if (firstWild < 0) return { root, levels: [] }
  const rest = levels.slice(firstWild).filter((level) => level !== '')
  return { root, levels: rest.map((level) => (level === '**' ? '**' : levelPattern(level))) }
}

/** A `/` in braces is part of a date. */
function splitLevels(path: string): string[] {
  const levels = ['']
  let depth = 0
  for (const character of path) {
    if (character === '{' && !levels.at(-1)?.endsWith('[')) depth += 1
    if (character === '}') depth = Math.max(0, depth - 1)
    if (character === '/' && depth === 0) levels.push('')
    else levels[levels.length - 1] += character
  }
  if (levels.length > 1 && levels.at(-1) === '') levels.pop()
  return levels
}

/** Of one name; `*` is what a name may hold. */
export function levelPattern(level: string): RegExp {
  let source = ''
  for (let at = 0; at < level.length; at += 1) {
    const character = level[at] ?? ''
    if (character === '*') source += '[^/]*'
    else if (character === '?') source += '[^/]'
    else if (character === '[' || character === '{') {
      const end = level.indexOf(character === '[' ? ']' : '}', at + 1)
      if (end < 0) throw new RangeError(`${character} is not closed in ${level}`)
      const inner = level.slice(at + 1, end)
      source += character === '[' ? setPattern(inner) : bracePattern(inner)
      at = end
    } else source += escapeText(character)
  }
  return new RegExp(`^${source}$`, 'u')
}

function setPattern(inner: string): string {
  const isNot = inner.startsWith('!')
  const set = (isNot ? inner.slice(1) : inner).replace(/[\\\]^]/g, '\\$&')
  if (set === '') throw new RangeError('[] is empty')
  return `[${isNot ? '^/' : ''}${set}]`
}

/** `string`, `text`, `number`, or `date` with its format behind a comma. */
function bracePattern(inner: string): string {
  const [type = '', ...rest] = inner.split(',')
  const kind = type.split(':', 1)[0]?.trim()
  if (kind === 'string' || kind === 'text') return '[^/]*'
  if (kind === 'number') return '\\d+'
  if (kind === 'rotation' && rest.length === 0) return ROTATION
  const format = rest.join(',').trim()
  if (kind !== 'date' || format === '')
    throw new RangeError(`{${inner}} is not {string}, {number} or {date,<format>}`)
  return datePattern(format)
}

/** A run of letters is what its length says; three letters of a month are its name. */
function datePattern(format: string): string {
  return format.replace(/([A-Za-z])\1*|'[^']*'|[^A-Za-z']+/g, (part) => {
    if (part.startsWith("'")) return escapeText(part.slice(1, -1))
    if (!/^[A-Za-z]/.test(part)) return escapeText(part)
    if (/^(?:MMM+|E+|a+|z+)$/.test(part)) return '\\p{L}+'
    if (/^[ZX]/.test(part)) return '(?:Z|[+-]\\d{2}:?\\d{2})'
    return part.length === 1 ? '\\d{1,2}' : `\\d{${part.length}}`
  })
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
