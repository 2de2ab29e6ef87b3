// Secrets that a configuration takes from the environment of the client: ${env:NAME}.

const REFERENCE = /^\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}$/
const ESCAPABLE = /^\$+\{env:[A-Za-z_][A-Za-z0-9_]*\}$/

/** The name in a whole value `${env:NAME}`. */
export function readReference(value: string): string | undefined {
  return REFERENCE.exec(value)?.[1]
}

/** So that a value which looks like `${env:NAME}` and is none is read as it is: `$${env:NAME}`. */
export function escapeReference(value: string): string {
  return ESCAPABLE.test(value) ? `$${value}` : value
}

/** What escapeReference was given. */
export function unescapeReference(value: string): string {
  return ESCAPABLE.test(value) && value.startsWith('$$') ? value.slice(1) : value
}

/** A name for the secret of an object, unlike those that `taken` holds, which gets it. */
export function nameSecret(words: readonly string[], taken: Set<string>): string {
  const plain = ['logeye', ...words]
    .join('_')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()
  let name = plain
  for (let number = 2; taken.has(name); number += 1) name = `${plain}_${number}`
  taken.add(name)
  return name
}
