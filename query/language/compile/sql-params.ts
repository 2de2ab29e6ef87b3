// Bound parameters: the only way for a text from outside into SQL. Equal values share one placeholder.

export type ParamType =
  | 'String'
  | 'Int64'
  | 'UInt64'
  | 'Float64'
  | 'Array(UInt32)'
  | 'Array(UInt64)'
  | 'Array(String)'
  | 'Array(Array(String))'

export class SqlParams {
  readonly #values: Record<string, unknown> = {}
  readonly #names = new Map<string, string>()

  /** The placeholder. */
  add(
    value: string | number | readonly (string | number | readonly string[])[],
    type: ParamType,
  ): string {
    const key = `${type}:${JSON.stringify(value)}`
    let name = this.#names.get(key)
    if (name === undefined) {
      name = `p${this.#names.size}`
      this.#names.set(key, name)
      this.#values[name] = value
    }
    return `{${name}:${type}}`
  }

  text(value: string): string {
    return this.add(value, 'String')
  }

  values(): Readonly<Record<string, unknown>> {
    return this.#values
  }
}
