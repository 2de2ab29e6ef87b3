// Templates of what is told: `${name}` is replaced, once: what a value holds is text and never a
// variable. Pure.

const TEMPLATE_NAMES = [
  ...['monitor', 'severity', 'group', 'count', 'event', 'query', 'link'],
  ...['opened', 'time', 'rows'],
] as const

type TemplateName = (typeof TEMPLATE_NAMES)[number]

export const USUAL_SUBJECT = `[\${severity}] \${monitor} \${event} \${group}`
export const USUAL_TEXT = `\${monitor}: \${event}
Severity: \${severity}
Group: \${group}
Rows: \${count}
Since: \${opened}
Query: \${query}

\${rows}

\${link}
`

const VARIABLE = /\$\{(\w+)\}/g

/** A name that there is not; undefined: none. */
export function findTemplateFault(template: string): string | undefined {
  for (const [, name = ''] of template.matchAll(VARIABLE))
    if (!isName(name)) return `there is no ${name}: use ${TEMPLATE_NAMES.join(', ')}`
  return undefined
}

export function fillTemplate(
  template: string,
  values: Readonly<Record<TemplateName, string>>,
): string {
  return template
    .replaceAll('\\n', '\n')
    .replace(VARIABLE, (all, name: string) => (isName(name) ? values[name] : all))
}

function isName(name: string): name is TemplateName {
  return TEMPLATE_NAMES.some((one) => one === name)
}
