// Texts in HTML. The document is ours, and yet nothing of it is put in unescaped.

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

/** One line: code in backticks. */
export function printLine(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

/** Paragraphs and lists of lines that begin with `- `. */
export function printText(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((block) => {
      const lines = block.split('\n')
      if (block.startsWith('Callers: ')) return `<p class="callers">${printLine(block)}</p>`
      if (!lines.every((line) => line.startsWith('- '))) return `<p>${printLine(block)}</p>`
      return `<ul>${lines.map((line) => `<li>${printLine(line.slice(2))}</li>`).join('')}</ul>`
    })
    .join('\n')
}

/** JSON with its kinds marked, for the style sheet. */
export function printJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? ''
  return escapeHtml(text).replace(
    /(&quot;(?:[^&\\\n]|\\.|&(?!quot;))*&quot;)(\s*:)?|\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?\b/g,
    (found, quoted?: string, colon?: string) => {
      if (quoted === undefined) return `<i class="n">${found}</i>`
      return colon === undefined
        ? `<i class="s">${quoted}</i>`
        : `<i class="k">${quoted}</i>${colon}`
    },
  )
}
