// What the product would make of the first events of a file: asked with debug=1, so it is what the
// writer would do, and nothing is stored.
import { formatByteSize } from '../../../../schemas/byte-size.ts'
import { type Connection, parseJson, postBody } from '../post-body.ts'
import { CHUNK_BYTES } from './cut-chunks.ts'
import type { ImportFormat } from './open-source.ts'
import { answerSchema, bodyHeaders, type ListenerAnswer } from './send-chunk.ts'

const SHOWN_EVENTS = 3
const MAX_VALUE = 60

export type Previewed =
  | { readonly kind: 'seen'; readonly text: string }
  | { readonly kind: 'refused' | 'unreachable'; readonly reason: string }

export async function previewImport(
  url: URL,
  body: Buffer,
  format: ImportFormat,
  connection: Connection,
): Promise<Previewed> {
  const asked = new URL(url)
  asked.searchParams.set('debug', '1')
  const posted = await postBody(asked, body, bodyHeaders(format), connection)
  if (posted.kind === 'unreachable') return posted
  const parsed = answerSchema.safeParse(parseJson(posted.text))
  if (!parsed.success)
    return { kind: 'unreachable', reason: `something else answers there (HTTP ${posted.status})` }
  const { data: answer } = parsed
  if (posted.status >= 500) return { kind: 'unreachable', reason: answer.text }
  const isSeen = posted.status === 200 || answer.received > 0
  return isSeen
    ? { kind: 'seen', text: `${printPreview(answer)}${warnOfCuts(body, format, answer)}` }
    : { kind: 'refused', reason: answer.text }
}

function printPreview({ received, rejected, errors, events = [] }: ListenerAnswer): string {
  const places = countBy(events.map(({ path, log }) => (path === '' ? log : `${path}->${log}`)))
  const templates = countBy(events.map(({ template }) => template ?? 'no template'))
  const lines = [
    `the first ${received} events:`,
    ...places.map(([place, count]) => `  ${count} into ${place}`),
    ...templates.map(([template, count]) => `  ${count} by ${template}`),
    ...(rejected > 0 ? [`  ${rejected} rejected: ${errors[0]?.message ?? ''}`] : []),
  ]
  for (const { time, columns } of events.slice(0, SHOWN_EVENTS)) {
    lines.push(`  ${time}`)
    for (const [name, value] of Object.entries(columns)) lines.push(`    ${name} = ${cut(value)}`)
  }
  return `${lines.join('\n')}\n`
}

/** Which lines begin an event, the pattern of the account says, and the product alone reads it.
 *  Where fewer events than lines came, apart from lines that begin with a space, a line like any
 *  other may go on with an event: then nothing tells where the file may be cut. */
function warnOfCuts(body: Buffer, format: ImportFormat, { received }: ListenerAnswer): string {
  if (format !== 'lines') return ''
  const heads = body
    .toString('latin1')
    .split('\n')
    .filter((line) => /^[^ \t\r]/.test(line)).length
  if (received >= heads) return ''
  return `note: some events have lines that do not begin with a space. The file is sent in pieces of about ${formatByteSize(CHUNK_BYTES)}, and an event at the end of a piece may become two
`
}

function countBy(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
}

/** One line, without what could move a terminal's cursor. */
function cut(value: string): string {
  const text = value.replace(/\p{Cc}/gu, ' ')
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text
}
