// Formats as text (search-language#formats), fitting the column.
import type { ColumnKind, QueryColumn } from './query-columns.ts'
import type { Random } from './random.ts'

const PATTERNS = ['#.##', '0.00', '#,##0.0', '000', '#', '0.#', '#,##0.00', '#%']
const DURATIONS = ['microsec', 'ms', 'sec', 'min', 'hour', 'day']
const VOLUMES = ['B', 'KB', 'MB', 'GB']
const DATES = ['yyyy-MM-dd', 'HH:mm', "yyyy-MM-dd'T'HH:mm:ss", 'EEE d MMM yy', 'dd/MM/yyyy HH']
const REGEXPS = [
  '"[0-9]+"',
  '"^(.)"',
  '"rule=([0-9]+)"',
  '"[aeo]", "_"',
  '"(\\\\w)(\\\\w)", "$2$1"',
]

/** A format of a column that is there. */
export function randomFormat(random: Random, column: QueryColumn): string {
  switch (column.kind) {
    case 'number':
    case 'numeric':
      return random.pick([
        () => `in number format("${random.pick(PATTERNS)}")`,
        () => 'in number format',
        () => `in time format${units(random, DURATIONS)}`,
        () => `in volume format${units(random, VOLUMES)}`,
      ])()
    case 'date': {
      const zone = random.chance(0.3) ? ', "Asia/Kolkata"' : ''
      return `in date format("${random.pick(DATES)}"${zone})`
    }
    default:
      return `in regexp format(${random.pick(REGEXPS)})`
  }
}

function units(random: Random, names: readonly string[]): string {
  const count = random.below(3)
  if (count === 0) return ''
  return `(${Array.from({ length: count }, () => `"${random.pick(names)}"`).join(',')})`
}

export type MadeColumn = { readonly format: string; readonly kind: ColumnKind }

/** A format that makes a column of the others. */
export function randomTemplate(random: Random, columns: readonly QueryColumn[]): MadeColumn {
  const names = columns.map(({ name }) => name).filter((name) => !name.startsWith('column.'))
  const numbers = columns.filter(({ kind }) => kind === 'number').map(({ name }) => name)
  // A name that the same stage makes is no column yet: without braces its first word alone is read.
  const column = (name: string) =>
    random.chance(0.3) || /[^\w ]| of all$/.test(name) ? `column.{${name}}` : `column.${name}`
  const [a, b] = [random.pick(names), random.pick(names)]
  if (numbers.length > 0 && random.chance(0.6)) {
    const [x, y] = [column(random.pick(numbers)), column(random.pick(numbers))]
    const source = random.pick([
      `${x} + ${y}`,
      `${x} / ${y} * 100`,
      `(${x} - 2) * 0.5`,
      `${x} % 3`,
      `-${x} + 1.25`,
      `${x} / (${y} - ${y})`,
    ])
    return { format: `in expression format("${source}")`, kind: 'number' }
  }
  if (random.chance(0.3)) {
    const source = random
      .pick([
        `User = ${column(a)} in log.access`,
        `"${column(a)}" OR ${column(b)}`,
        `a=\\"x ${column(a)}\\" in log.${column(b)}`,
      ])
      .replace(/"/g, (mark, at, text) => (text[at - 1] === '\\' ? mark : '\\"'))
    return { format: `in query format("${source}")`, kind: 'cased' }
  }
  const template = `${random.pick(['', 'x=', 'about '])}${column(a)} - ${column(b)}.`
  return { format: `in simple format("${template}")`, kind: 'cased' }
}
