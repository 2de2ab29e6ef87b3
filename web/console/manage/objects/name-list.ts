// Names as one argument has them: `a,b`, or a JSON array where a name holds a comma. Pure.

export function readNames(text: string): readonly string[] {
  const elements = text.trimStart().startsWith('[') ? readJson(text) : text.split(',')
  return elements.map((one) => one.trim()).filter((one) => one !== '')
}

function readJson(text: string): readonly string[] {
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) ? read.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

export function printNames(names: readonly string[]): string {
  const isPlain = names.every((name) => !name.includes(',') && !name.startsWith('['))
  return isPlain ? names.join(',') : JSON.stringify(names)
}
