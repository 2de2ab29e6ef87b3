// Examples of what a schema describes: what it says itself, else the least that fits.
import type { ApiDocument, JsonSchema } from './read-document.ts'
import { idPrefixOf, nameOf, typesOf } from './read-document.ts'

const MAX_DEPTH = 8
const ID_BODY = '01m0vd3mc8v7kjfkc6pv0ecbad'

const NUMBER_BY_NAME: Readonly<Record<string, number>> = {
  volumeBytesPerDay: 40_000_000_000,
  bytes: 480_000_000,
  events: 1_200_000,
  nextHeartbeatSeconds: 3600,
  months: 12,
}

/** By name, where the schema says nothing. */
const BY_NAME: Readonly<Record<string, string>> = {
  name: 'Harbour Logistics',
  title: 'Log service of the harbour',
  email: 'ada@harbour.example',
  currency: 'EUR',
  region: 'EU',
  amount: '250.00',
  source: 'terminal',
  item: 'logs',
  sku: 'logs',
  quantity: '40',
  message: 'What was wrong.',
  password: 'correct horse battery',
  current: 'the one before it',
  token: 'ses_…',
  operatorToken: 'opr_…',
  deploymentToken: 'dpl_…',
  licenseKey: 'lic_…',
  reason: 'Agreed with the customer',
  value: '5',
  fingerprint: 'harbour-production-1',
  version: '0.1.0',
  creditPricePerGib: '0.35',
  organizationName: 'Harbour Logistics',
  organizationId: 'org_01m0vd3mc8v7kjfkc6pv0ecbad',
}

export class Examples {
  readonly #schemas: ApiDocument['components']['schemas']

  constructor({ components }: ApiDocument) {
    this.#schemas = components.schemas
  }

  /** What a caller sends: fields that must be there; where none must, all. */
  input(schema: JsonSchema): unknown {
    return this.#make(schema, { name: '', depth: 0, isInput: true })
  }

  /** What is answered: every field. */
  output(schema: JsonSchema): unknown {
    return this.#make(schema, { name: '', depth: 0, isInput: false })
  }

  /** The schema itself, where it is only named. */
  resolve(schema: JsonSchema): JsonSchema {
    return schema.$ref === undefined ? schema : (this.#schemas[nameOf(schema.$ref)] ?? {})
  }

  #make(given: JsonSchema, at: { name: string; depth: number; isInput: boolean }): unknown {
    const schema = this.resolve(given)
    const { depth, isInput, name } = at
    if (depth > MAX_DEPTH) return null
    if (schema.examples?.length) return schema.examples[0]
    if (schema.const !== undefined) return schema.const
    if (schema.enum !== undefined) return schema.enum[0]
    if (schema.default !== undefined && schema.default !== null && !isInput) return schema.default
    const choices = schema.anyOf ?? schema.oneOf
    if (choices !== undefined) {
      const [first] = choices
      return first === undefined ? null : this.#make(first, at)
    }
    switch (typesOf(schema)[0]) {
      case 'object': {
        const { properties = {}, required = [] } = schema
        const needed = Object.entries(properties).filter(([key]) => required.includes(key))
        const shown = isInput && needed.length > 0 ? needed : Object.entries(properties)
        return Object.fromEntries(
          shown.map(([key, inner]) => [
            key,
            this.#make(inner, { ...at, name: key, depth: depth + 1 }),
          ]),
        )
      }
      case 'array':
        return schema.items === undefined
          ? []
          : [this.#make(schema.items, { ...at, depth: depth + 1 })]
      case 'integer':
      case 'number':
        return NUMBER_BY_NAME[name] ?? Math.max(schema.minimum ?? 0, 0)
      case 'boolean':
        return true
      case 'string':
        return exampleText(schema, name)
      case 'null':
        return null
      default:
        return {}
    }
  }
}

function exampleText(schema: JsonSchema, name: string): string {
  const { format, minLength = 0 } = schema
  if (format === 'date-time') return '2027-01-01T00:00:00Z'
  const prefix = idPrefixOf(schema)
  if (prefix !== undefined) return `${prefix}_${ID_BODY}`
  const known = BY_NAME[name]
  if (known !== undefined) return known
  return 'text'.padEnd(minLength, ' of enough characters').slice(0, Math.max(4, minLength))
}
