// A call: what it does and takes to the left, how it is made and answered to the right.
import type { Examples } from './make-example.ts'
import { escapeHtml, printJson, printLine, printText } from './print-html.ts'
import { printField, printFields, printKind } from './print-schema.ts'
import type { Answer, JsonSchema, Operation, Parameter } from './read-document.ts'

const PLACES = { path: 'Path', query: 'Query', header: 'Headers' } as const
const JSON_TYPE = 'application/json'

export type Place = {
  readonly serverUrl: string
  /** Path of the page with all codes. */
  readonly problems: string
  readonly examples: Examples
}

export function printOperation(operation: Operation, place: Place): string {
  const { operationId, method, path, summary, description = '', parameters, answers } = operation
  const { examples, problems } = place
  const body = operation.requestBody?.content[JSON_TYPE]?.schema
  const parts = (['path', 'query', 'header'] as const).map((one) =>
    printParameters(
      PLACES[one],
      parameters.filter((it) => it.in === one),
    ),
  )
  const done = answers.filter(({ status }) => status < '400')
  const failed = answers.filter(({ status }) => status >= '400').map(({ status }) => status)
  return `<section class="call" id="${operationId}">
<div class="told">
<h3><a class="anchor" href="#${operationId}">${printLine(summary)}</a></h3>
<p class="line"><span class="method ${method.toLowerCase()}">${method}</span> <code>${printPath(path)}</code></p>
${printText(description)}
${parts.join('\n')}
${body === undefined ? '' : `<h4>Body</h4>\n${printBody(body, examples)}`}
<h4>Answers</h4>
<ul class="fields">
${done.map((answer) => printAnswer(answer)).join('\n')}
${
  failed.length === 0
    ? ''
    : `<li><div class="field"><code class="name">${failed.join(' ')}</code></div><p>A <a href="#schema-Problem">problem</a> with one of <a href="${problems}">these codes</a>.</p></li>`
}
</ul>
</div>
<div class="shown">
<div class="box"><p class="label">Call</p><pre class="wrap">${printCurl(operation, place)}</pre></div>
${printExample(done, examples)}
</div>
</section>`
}

/** What a reader would send; undefined: nothing. */
export function exampleBody({ requestBody }: Operation, examples: Examples): unknown {
  const schema = requestBody?.content[JSON_TYPE]?.schema
  return schema === undefined ? undefined : examples.input(schema)
}

function printParameters(title: string, some: readonly Parameter[]): string {
  if (some.length === 0) return ''
  const rows = some.map(({ name, required, description, schema }) =>
    printField(
      name,
      { ...schema, ...(description === undefined ? {} : { description }) },
      required,
    ),
  )
  const list = `<ul class="fields">\n${rows.join('\n')}\n</ul>`
  if (title !== PLACES.header) return `<h4>${title}</h4>\n${list}`
  const names = some.map(({ name }) => name).join(', ')
  return `<details><summary>Headers: ${escapeHtml(names)}</summary>${list}</details>`
}

function printBody(given: JsonSchema, examples: Examples): string {
  const schema = examples.resolve(given)
  const { anyOf } = schema
  if (anyOf === undefined) return printFields(schema)
  return `<p>One of ${anyOf.map(printKind).join(' or ')}.</p>`
}

function printAnswer({ status, description, content }: Answer & { status: string }): string {
  const kinds = Object.entries(content ?? {}).map(([type, { schema }]) =>
    type === JSON_TYPE ? printKind(schema) : escapeHtml(type),
  )
  const [json] = Object.entries(content ?? {}).flatMap(([type, { schema }]) =>
    type === JSON_TYPE && schema.properties !== undefined ? [printFields(schema, 1)] : [],
  )
  const inside = json ? `<details><summary>its fields</summary>${json}</details>` : ''
  return `<li><div class="field"><code class="name">${status}</code> <span class="kind">${kinds.join(', ')}</span></div><p>${printLine(description)}</p>${inside}</li>`
}

function printExample(done: readonly (Answer & { status: string })[], examples: Examples): string {
  for (const { status, content } of done) {
    const schema = content?.[JSON_TYPE]?.schema
    if (schema === undefined || Object.keys(examples.resolve(schema)).length === 0) continue
    const text = printJson(examples.output(schema))
    return `<div class="box"><p class="label">Answer ${status}</p><pre>${text}</pre></div>`
  }
  return ''
}

/** As one line of a shell, broken for reading. */
function printCurl(operation: Operation, { serverUrl, examples }: Place): string {
  const { method, path, security, parameters } = operation
  const needsBearer = security?.every((way) => Object.keys(way).length > 0) ?? true
  const isOpen = security?.length === 0
  const query = parameters
    .filter((it) => it.in === 'query' && it.required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(examples.input(schema)))}`)
    .join('&')
  const url = `${serverUrl}${path.replaceAll(/\{(\w+)\}/g, '$$$1')}${query && `?${query}`}`
  const quote = path.includes('{') ? '"' : "'"
  const body = exampleBody(operation, examples)
  const send = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : ` -X ${method}`
  const lines = [
    `curl${send} ${quote}${url}${quote}`,
    ...(needsBearer && !isOpen ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}'`,
        ]),
  ]
  return escapeHtml(lines.join(' \\\n  '))
}

function printPath(path: string): string {
  return escapeHtml(path).replaceAll(/\{\w+\}/g, (name) => `<i class="k">${name}</i>`)
}
