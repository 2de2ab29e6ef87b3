/** `base` with further parameters. */
export function withParameters(base: string, more: Readonly<Record<string, string>>): string {
  const [path = '', text = ''] = base.split('?')
  const parameters = new URLSearchParams(text)
  for (const [name, value] of Object.entries(more))
    if (value === '') parameters.delete(name)
    else parameters.set(name, value)
  const all = parameters.toString()
  return all === '' ? path : `${path}?${all}`
}
