// The reference of the API for people, made of its document: one page without scripts, which asks
// for nothing but its style sheet.
import { Examples } from './make-example.ts'
import { escapeHtml, printLine, printText } from './print-html.ts'
import { type Place, printOperation } from './print-operation.ts'
import { printFields, printKind } from './print-schema.ts'
import { type ApiDocument, type JsonSchema, operationsOf, readDocument } from './read-document.ts'

export const STYLE_PATH = '/api/portal/docs.css'

type Paths = { readonly problems: string; readonly openApi: string }

export function printReferencePage(given: unknown, { problems, openApi }: Paths): string {
  const document = readDocument(given)
  const { info, servers } = document
  const serverUrl = servers[0]?.url ?? ''
  const place: Place = { serverUrl, problems, examples: new Examples(document) }
  const operations = operationsOf(document)
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  const ofTag = (tag: string) => operations.filter((one) => one.tag === tag)
  const menu = tags.map(
    (tag) => `<li><a href="#${idOf(tag)}">${titled(tag)}</a>
<ul>${ofTag(tag)
      .map(
        ({ operationId, summary }) =>
          `<li><a href="#${operationId}">${printLine(summary)}</a></li>`,
      )
      .join('\n')}</ul></li>`,
  )
  const sections = tags.map(
    (tag) => `<section class="area" id="${idOf(tag)}"><h2>${titled(tag)}</h2></section>
${ofTag(tag)
  .map((operation) => printOperation(operation, place))
  .join('\n')}`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)}: reference of the API</title>
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<nav aria-label="Contents">
<p class="brand"><a href="#top">${escapeHtml(info.title)}</a> <span>${escapeHtml(info.version)}</span></p>
<ul class="menu">
${menu.join('\n')}
<li><a href="#schemas">Schemas</a></li>
<li><a href="${problems}">Problems</a></li>
</ul>
</nav>
<main id="top">
<section class="intro">
<div class="told">
<h1>Reference of the API</h1>
${printText(info.description)}
<p>Every code of a problem: <a href="${problems}">${problems}</a>. The document that this page is made of, for programs: <a href="${openApi}">${openApi}</a> (OpenAPI 3.1).</p>
</div>
<div class="shown">
<div class="box"><p class="label">Address</p><pre>${escapeHtml(serverUrl)}</pre></div>
<div class="box"><p class="label">A credential for the calls below</p><pre>TOKEN=opr_…   # or ses_…, dpl_…, lic_…</pre></div>
</div>
</section>
${sections.join('\n')}
<section class="area" id="schemas"><h2>Schemas</h2></section>
${printSchemas(document)}
</main>
</body>
</html>
`
}

function printSchemas({ components }: ApiDocument): string {
  return Object.entries(components.schemas)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => printSchema(name, schema))
    .join('\n')
}

function printSchema(name: string, schema: JsonSchema): string {
  const { description, anyOf, oneOf, enum: values } = schema
  const choices = anyOf ?? oneOf
  const told = [
    ...(description === undefined ? [] : [`<p>${printLine(description)}</p>`]),
    ...(choices === undefined ? [] : [`<p>One of ${choices.map(printKind).join(', ')}.</p>`]),
    ...(values === undefined
      ? []
      : [
          `<p>One of ${values.map((one) => `<code>${escapeHtml(String(one))}</code>`).join(', ')}.</p>`,
        ]),
    printFields(schema),
  ]
  return `<section class="schema" id="schema-${name}">
<h3><a class="anchor" href="#schema-${name}">${name}</a></h3>
${told.join('\n')}
</section>`
}

function idOf(tag: string): string {
  return `area-${tag.replaceAll(/\W+/g, '-')}`
}

function titled(text: string): string {
  return escapeHtml(text.slice(0, 1).toUpperCase() + text.slice(1))
}
