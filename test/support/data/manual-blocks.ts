// The examples of a manual: fenced blocks in fixed forms, read from the manual itself and written
// back into it.
//
//   query, then result or error    a query, and its table or the message with which it fails;
//     `query <zone>` in another time zone
//   finds                          lines `query ==> ids`: the events that a query without stages
//     finds, oldest first
//   call, then answer              a curl command and what it answers
//   setup                          the commands that load the events
//   syntax                         grammar, which is no example
//
// Anything else that could pass for an example is refused, so that no example is left out of the
// test.

export type Block = {
  readonly kind: string
  /** What stands behind the kind. */
  readonly option: string
  /** Of the first line of its text, from 1. */
  readonly line: number
  readonly text: string
}

/** What the test runs: `expected` is the block that follows, or the text after the arrow. */
export type Example = {
  readonly kind: 'query' | 'finds' | 'call'
  readonly line: number
  readonly input: string
  /** Of a query: the system time zone, '' for UTC. */
  readonly zone: string
  readonly expected: string
  /** The block that holds `expected`, and the line in it. */
  readonly place: { readonly block: Block; readonly index: number }
}

export const ARROW = ' ==> '

const FOLLOWERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['query', ['result', 'error']],
  ['call', ['answer']],
])
const KINDS = ['query', 'result', 'error', 'finds', 'call', 'answer', 'setup', 'syntax']

export function readBlocks(text: string): Block[] {
  const blocks: Block[] = []
  const lines = text.split('\n')
  let open: { kind: string; option: string; line: number; lines: string[] } | undefined
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith('```')) {
      open?.lines.push(line)
    } else if (open === undefined) {
      const [kind = '', ...options] = line.slice(3).split(' ')
      open = { kind, option: options.join(' '), line: index + 2, lines: [] }
    } else {
      const { lines, ...block } = open
      blocks.push({ ...block, text: lines.join('\n') })
      open = undefined
    }
  }
  if (open) throw new Error(`line ${open.line}: the block is not closed`)
  return blocks
}

export function readExamples(text: string): Example[] {
  const blocks = readBlocks(text)
  return blocks.flatMap((block, at) => {
    if (block.kind === 'finds') return readFinds(block)
    const next = blocks[at + 1]
    if (!FOLLOWERS.has(block.kind) || next === undefined) return []
    const { line, option: zone, text: input } = block
    const kind = block.kind === 'call' ? 'call' : 'query'
    return [{ kind, line, input, zone, expected: next.text, place: { block: next, index: 0 } }]
  })
}

function readFinds(block: Block): Example[] {
  return block.text.split('\n').map((line, index) => {
    const at = line.lastIndexOf(ARROW)
    const [input, expected] = at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 5)]
    const place = { block, index }
    return {
      kind: 'finds',
      line: block.line + index,
      input: input.trimEnd(),
      zone: '',
      expected,
      place,
    }
  })
}

/** What could pass for an example and is none that the test runs; each with its line. */
export function findStrays(text: string): string[] {
  const strays: string[] = []
  const blocks = readBlocks(text)
  const lines = text.split('\n')
  for (const [at, { kind, line, text: content }] of blocks.entries()) {
    const followers = FOLLOWERS.get(kind)
    const next = blocks[at + 1]
    const before = blocks[at - 1]
    if (!KINDS.includes(kind)) strays.push(`${line}: a block of the unknown kind '${kind}'`)
    if (content.trim() === '') strays.push(`${line}: an empty block`)
    if (followers) {
      const between = next === undefined ? ['none'] : gap(lines, blocks[at], next)
      if (!followers.includes(next?.kind ?? '') || between.some((one) => one !== ''))
        strays.push(`${line}: ${kind} without ${followers.join(' or ')} directly behind it`)
    }
    for (const [leader, kinds] of FOLLOWERS)
      if (kinds.includes(kind) && before?.kind !== leader)
        strays.push(`${line}: ${kind} without ${leader} before it`)
    if (kind === 'finds')
      for (const [index, one] of content.split('\n').entries())
        if (!/ ==> [a-z0-9 ]+$/.test(one)) strays.push(`${line + index}: a line without ids`)
  }
  return [...strays, ...findLooseQueries(blankBlocks(text, blocks))]
}

/** Code outside of blocks that reads as a query; placeholders such as <column> make it syntax. */
function findLooseQueries(text: string): string[] {
  const strays: string[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (/^(?: {4}|\t|~~~)/.test(line)) strays.push(`${index + 1}: code outside of a fenced block`)
    for (const [, code = ''] of line.matchAll(/`([^`]+)`/g)) {
      if (/<[a-z][^>]*>/.test(code)) continue
      if (
        /\s\\?\|\s|\S\s(?:=|!=|>=?|<=?|contains|matches|within|between)\s\S|\sin\s\w+\./.test(code)
      )
        strays.push(`${index + 1}: a query outside of a block: ${code}`)
    }
  }
  return strays
}

/** The same lines, those of blocks emptied. */
function blankBlocks(text: string, blocks: readonly Block[]): string {
  const lines = text.split('\n')
  for (const { line, text: content } of blocks) {
    const length = content.split('\n').length
    for (let index = line - 2; index <= line - 1 + length; index += 1) lines[index] = ''
  }
  return lines.join('\n')
}

/** Lines between two blocks. */
function gap(lines: readonly string[], first: Block | undefined, second: Block): string[] {
  if (first === undefined) return []
  return lines.slice(first.line + first.text.split('\n').length, second.line - 2)
}

/** The manual with other expectations: by example, in the order of readExamples. */
export function writeExamples(
  text: string,
  answers: readonly { readonly example: Example; readonly kind: string; readonly text: string }[],
): string {
  const lines = text.split('\n')
  const width = (block: Block) =>
    Math.max(...block.text.split('\n').map((line) => line.split(ARROW)[0]?.trimEnd().length ?? 0))
  for (const { example, kind, text: answer } of answers.toReversed()) {
    const { block, index } = example.place
    const at = block.line - 1 + index
    if (example.kind === 'finds') {
      lines[at] = `${example.input.padEnd(width(block))}${ARROW}${answer}`
    } else {
      lines.splice(
        at - 1,
        block.text.split('\n').length + 1,
        `\`\`\`${kind}`,
        ...answer.split('\n'),
      )
    }
  }
  return lines.join('\n')
}
