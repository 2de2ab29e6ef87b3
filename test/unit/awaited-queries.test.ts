// Biome does not know the type of a query of Kysely, so it misses one that nobody awaits.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'
import { expect, it } from 'vitest'
import { filesIn, ROOT } from '../support/regexps/collect.ts'

const RUNS = new Set(['execute', 'executeTakeFirst', 'executeTakeFirstOrThrow'])

/** Statements that run a query and drop its promise, as `file:line`. */
function findUnawaited(file: string, text: string): string[] {
  const found: string[] = []
  new Visitor({
    ExpressionStatement({ expression, start }) {
      if (runsQuery(expression)) found.push(`${file}:${text.slice(0, start).split('\n').length}`)
    },
  }).visit(parseSync(file, text).program)
  return found
}

function runsQuery(expression: ESTree.Expression): boolean {
  if (expression.type === 'LogicalExpression') return runsQuery(expression.right)
  if (expression.type === 'ConditionalExpression')
    return runsQuery(expression.consequent) || runsQuery(expression.alternate)
  return (
    expression.type === 'CallExpression' &&
    expression.callee.type === 'MemberExpression' &&
    expression.callee.property.type === 'Identifier' &&
    RUNS.has(expression.callee.property.name)
  )
}

it('finds a query that nobody awaits', () => {
  const planted = `
await db.deleteFrom('a').execute()
db.deleteFrom('a').execute()
if (isOld) db
  .updateTable('a')
  .executeTakeFirst()
isOld && db.deleteFrom('a').execute()
const made = () => db.deleteFrom('a').execute()
`
  expect(findUnawaited('planted.ts', planted)).toEqual([
    'planted.ts:3',
    'planted.ts:4',
    'planted.ts:7',
  ])
})

it('awaits every query of the product', () => {
  const files = ['infra', 'ingest', 'query', 'portal', 'roles'].flatMap(filesIn)
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((path) =>
    findUnawaited(relative(ROOT, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')),
  )
  expect(found).toEqual([])
})
