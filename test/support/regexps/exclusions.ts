// Expressions that are not linear, and why that hurts nobody. With `maxCharacters` the worst text
// of that length is measured; without it no text from outside reaches the expression.

export type Exclusion = {
  readonly file: string
  /** As `RegExp.source` prints it. */
  readonly source: string
  readonly why: string
  readonly maxCharacters?: number
}

/** One to two milliseconds in V8. */
export const MAX_STEPS = 10_000_000

const GROUPS = String.raw`\B(?=(\d{3})+$)`
const QUOTED = [String.raw`(?:"((?:[^"\\]|\\.)*)"`, '`([^`]*)`)'].join('|')

export const EXCLUSIONS: readonly Exclusion[] = [
  ...[
    'schemas/charts/print-value.ts',
    'portal/offers/offer-pdf.ts',
    'web/workspace/parts/print.ts',
  ].map((file) => ({ file, source: GROUPS, why: 'digits of a number', maxCharacters: 40 })),
  {
    file: 'infra/secret-url.ts',
    source: String.raw`(:\/\/[^/?#:]*:)[^/?#]*@(?!.*@)`,
    why: 'addresses of engines, from the configuration of the process',
  },
  {
    file: 'infra/secret-url.ts',
    source: '([?&][^=&#]*(?:password|secret|token|key)[^=&#]*=)[^&#]*',
    why: 'addresses of engines, from the configuration of the process',
  },
  {
    file: 'ingest/collect/path-pattern.ts',
    source: String.raw`(?:[.-]\d[\d-]*)?(?:\.(?:gz|zst|bz2|xz))?$`,
    why: 'MAX_ROTATION_CHARACTERS of a name',
    maxCharacters: 64,
  },
  {
    file: 'query/language/check/describe-bare-name.ts',
    source: String.raw`(?:distinct count|percentile [\d.]+|[a-z]+)\s*$`,
    why: 'MAX_CALL_CHARACTERS before a parenthesis',
    maxCharacters: 200,
  },
  {
    file: 'query/language/parse/foreign-symbols.ts',
    source: String.raw`([\p{L}_][\p{L}\p{N}_]*)\((?:[^()]|\([^()]*\))*$`,
    why: 'MAX_LOOKED_AT before a sign',
    maxCharacters: 400,
  },
  {
    file: 'query/language/parse/foreign-symbols.ts',
    source: String.raw`([\p{L}_][\p{L}\p{N}_]*)\((?:[^()]|\([^()]*\))*\)\s*$`,
    why: 'MAX_LOOKED_AT before a sign',
    maxCharacters: 400,
  },
  {
    file: 'query/language/parse/foreign-symbols.ts',
    source: String.raw`(?:([\w.]+)\s*)?(\|=|\|~|!=|!~|=~|>=|<=|=|>|<)\s*(?:${QUOTED}|([\d.]+\b))`,
    why: 'MAX_LABEL_CHARACTERS after a brace',
    maxCharacters: 800,
  },
  ...[
    String.raw`(?:^|[\s(])in\s+(?:[^|()"]*,\s*)?(log|folder|app|apptag|server|host|file|source|type)\.("?)([^,|()"]*)$`,
    String.raw`(?:^|[\s(])in\s+(?:[^|()"]*,\s*)?([a-z]*)$`,
    String.raw`(?:^|[\s(])(?:event\.)?timestamp\s*(?:!=|[<>]=?|=|\sbetween\s(?:.*\sand\s)?)\s*("?)((?:n|no|now(?:\s*[-+]\s*\d*\s*[a-z]*)?|[-+@][\d+a-z@-]*)?)$`,
    String.raw`^(.*?)\s*(?:!=|=|\s(?:contains|starts\s+with|ends\s+with))\s*("?)([^\s"()|,=<>!]*)$`,
    String.raw`"((?:[^"\\]|\\.)*)"$`,
  ].map((source) => ({
    file: 'query/language/suggest.ts',
    source,
    why: 'FAR characters before the cursor',
    maxCharacters: 1000,
  })),
  {
    file: 'portal/reference-page/print-html.ts',
    source: String.raw`(&quot;(?:[^&\\\n]|\\.|&(?!quot;))*&quot;)(\s*:)?|\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?\b`,
    why: 'examples of our own OpenAPI document',
  },
  {
    file: 'web/console/manage/objects/form-fields.ts',
    source: String.raw`^(.*?)(?: \(([^)]*)\))?$`,
    why: 'hints of our own schemas',
  },
]
