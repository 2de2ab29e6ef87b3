// All regular expressions of the product, from the syntax trees of its files.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseSync, Visitor } from 'vite'

export const ROOT = join(import.meta.dirname, '../../..')
export const FOLDERS = ['schemas', 'infra', 'ingest', 'query', 'portal', 'roles', 'web'] as const

export type Literal = { readonly file: string; readonly source: string; readonly flags: string }
/** `line`: from 1. */
export type Site = { readonly file: string; readonly line: number; readonly text: string }

export type Collected = {
  readonly literals: Literal[]
  /** Expressions made from texts at run time. */
  readonly made: Site[]
  /** A text handed where it becomes an expression, which no test sees. */
  readonly hidden: Site[]
}

const TAKES_EXPRESSION = new Set(['match', 'matchAll', 'search'])

export function collectProduct(): Collected {
  const all: Collected = { literals: [], made: [], hidden: [] }
  for (const path of [join(ROOT, 'main.ts'), ...FOLDERS.flatMap(filesIn)]) {
    const file = relative(ROOT, path).replaceAll('\\', '/')
    const { literals, made, hidden } = collect(file, readFileSync(path, 'utf8'))
    all.literals.push(...literals)
    all.made.push(...made)
    all.hidden.push(...hidden)
  }
  return all
}

export function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.d)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

export function collect(file: string, text: string): Collected {
  const found: Collected = { literals: [], made: [], hidden: [] }
  const siteOf = ({ start, end }: { readonly start: number; readonly end: number }): Site => ({
    file,
    line: text.slice(0, start).split('\n').length,
    text: text.slice(start, end),
  })
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  new Visitor({
    Literal(node) {
      if ('regex' in node && node.regex)
        found.literals.push({ file, source: node.regex.pattern, flags: node.regex.flags })
    },
    NewExpression(node) {
      if (isRegExp(node.callee)) found.made.push(siteOf(node))
    },
    CallExpression(node) {
      if (isRegExp(node.callee)) found.made.push(siteOf(node))
      if (node.callee.type !== 'MemberExpression') return
      const { property } = node.callee
      const [given] = node.arguments
      const isText =
        given?.type === 'TemplateLiteral' ||
        (given?.type === 'Literal' && typeof given.value === 'string')
      if (property.type === 'Identifier' && TAKES_EXPRESSION.has(property.name) && isText)
        found.hidden.push(siteOf(node))
    },
  }).visit(program)
  return found
}

/** `RegExp` and `globalThis.RegExp`. */
function isRegExp(callee: { readonly type: string; readonly start: number }): boolean {
  if ('name' in callee) return callee.name === 'RegExp'
  return 'property' in callee && isRegExp(callee.property as typeof callee)
}
