// Where a line of the product can be made wrong, by kind of fault. A fault changes one line, keeps
// its types as far as syntax shows, and does not touch texts, logs or errors.
import { type ESTree, parseSync, Visitor } from 'vite'

export const KINDS = ['comparison', 'await', 'flush', 'return', 'right', 'offset'] as const
export type Kind = (typeof KINDS)[number]

/** One line and what it becomes; neither has a line feed. */
export type Candidate = {
  readonly kind: Kind
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly before: string
  readonly after: string
}

const SWAPPED: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
}
const FLUSH = /^(?:await )?(?:[\w.#?]+\.)?(?:f?(?:data)?sync|flush)(?:[A-Z]\w*)?\(/
/** Calls that are true for a caller with the right, and calls that throw for one without it. */
const HAS_RIGHT =
  /(?:^|\.)(?:may(?:Do|View|Edit|Change|See|Know|Create|Operate|Read|Come|Name)\w*|hasSecondFactor)$/
const REQUIRE =
  /^(?:await )?require(?:Acting|Admin|Allowed|Chang|Edit|Known|Operat|Own|Read|See|Visible)\w*\(/
const REFUSAL = /Failure\('(?:rights\.|portal\.(?:forbidden|unauthenticated)|sign_in\.)/
const LOG_CALL = /(?:^|[.#])(?:log|logger|telemetry|metrics|console)\??\.\w+$/
const NOTHING = /^: (?:Promise<void>|void)$/

/** In the order of the text. */
export function findFaults(file: string, text: string): Candidate[] {
  const faults: (Candidate & { readonly start: number })[] = []
  const silent: { readonly start: number; readonly end: number }[] = []
  const source = (node: ESTree.Span) => text.slice(node.start, node.end)
  const add = (kind: Kind, start: number, end: number, replacement: string): void => {
    const from = text.lastIndexOf('\n', start - 1) + 1
    const next = text.indexOf('\n', start)
    const to = next < 0 ? text.length : next
    if (end > to) return
    const before = text.slice(from, to)
    const after = text.slice(from, start) + replacement + text.slice(end, to)
    faults.push({ kind, file, line: text.slice(0, from).split('\n').length, before, after, start })
  }
  const addReturn = ({ body, returnType }: ESTree.Function | ESTree.ArrowFunctionExpression) => {
    if (body?.type !== 'BlockStatement') return
    if (!returnType || !NOTHING.test(source(returnType)) || body.body.length === 0) return
    if (text[body.start + 1] === '\n') add('return', body.start + 1, body.start + 1, ' return')
  }
  new Visitor({
    BinaryExpression(node) {
      const { left, right, operator } = node
      const at = text.indexOf(operator, left.end)
      const swapped = SWAPPED[operator]
      if (swapped !== undefined) add('comparison', at, at + operator.length, swapped)
      if ((operator === '+' || operator === '-') && source(right) === '1')
        add('offset', at - 1, node.end, '')
    },
    MemberExpression(node) {
      if (node.computed && source(node.property) === '0')
        add('offset', node.property.start, node.property.end, '1')
      else if (node.computed && source(node.property) === '1')
        add('offset', node.property.start, node.property.end, '0')
      else if (/\.isAdministrator$/.test(source(node))) add('right', node.start, node.end, 'true')
    },
    CallExpression(node) {
      if (LOG_CALL.test(source(node.callee))) silent.push(node)
      if (HAS_RIGHT.test(source(node.callee))) add('right', node.start, node.end, 'true')
    },
    NewExpression(node) {
      if (/^(?:Failure|\w*Error)$/.test(source(node.callee))) silent.push(node)
    },
    ExpressionStatement({ expression }) {
      const call = expression.type === 'AwaitExpression' ? expression.argument : expression
      if (call.type !== 'CallExpression') return
      const text = source(expression)
      const dropped = FLUSH.test(text) ? 'flush' : REQUIRE.test(text) ? 'right' : undefined
      if (dropped !== undefined) add(dropped, expression.start, expression.end, 'void 0')
      else if (call !== expression) add('await', expression.start, call.start, '')
    },
    IfStatement({ test, consequent }) {
      if (REFUSAL.test(source(consequent))) add('right', test.start, test.end, 'false')
    },
    FunctionDeclaration: addReturn,
    FunctionExpression: addReturn,
    ArrowFunctionExpression: addReturn,
  }).visit(parseSync(file, text).program)
  return faults
    .filter(({ start }) => !silent.some((node) => node.start <= start && start < node.end))
    .sort((a, b) => a.start - b.start)
    .map(({ start: _, ...fault }) => fault)
}
