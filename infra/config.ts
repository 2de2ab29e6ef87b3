// Reads the process configuration (decision 1.10): environment over --config file over defaults.
// Strict: a name that is no setting refuses the start, and one report names every mistake. The only
// file that reads the environment for settings.
import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { type Config, configSchema } from './config-schema.ts'
import { SUPERVISION_NAME, type Supervision, supervisionSchema } from './supervisor/messages.ts'

const PREFIX = 'LOGEYE_'
/** Not settings: of the tests, of the supervisor's children, and the password and
 *  the token of the client `logeye-sdk` (decision 8.1). */
const OTHER_NAMES = /^LOGEYE_(TEST_.*|SUPERVISED|PASSWORD|TOKEN)$/

type Origin = 'default' | 'file' | 'environment'
export type Setting = { readonly path: string; readonly variable: string; readonly isList: boolean }
export type LoadedConfig = {
  readonly config: Config
  /** By path, e.g. 'http.plainPort'. */
  readonly origins: ReadonlyMap<string, Origin>
}

/** Its message is the whole report, several lines. */
export class ConfigError extends Error {
  constructor(mistakes: readonly string[]) {
    super(['the configuration cannot be used:', ...mistakes.map((it) => `  - ${it}`)].join('\n'))
    this.name = 'ConfigError'
  }
}

/** Every setting, in the order of the schema. */
export const SETTINGS: readonly Setting[] = listSettings(configSchema, [])

/** Throws ConfigError. */
export function loadConfig(options: {
  environment: Readonly<Record<string, string | undefined>>
  file?: string
}): LoadedConfig {
  const mistakes: string[] = []
  const origins = new Map<string, Origin>(SETTINGS.map((it) => [it.path, 'default']))
  const raw = options.file === undefined ? {} : readConfigFile(options.file, mistakes)
  for (const setting of SETTINGS) if (hasPath(raw, setting.path)) origins.set(setting.path, 'file')
  applyEnvironment(raw, options.environment, origins, mistakes)

  const parsed = configSchema.safeParse(raw)
  if (!parsed.success) mistakes.push(...describeIssues(parsed.error.issues, origins))
  if (!parsed.success || mistakes.length > 0) throw new ConfigError(mistakes)
  return { config: freeze(parsed.data), origins }
}

/** Lines `path = value  (where it came from)`; secrets are masked by their own printing. */
export function printConfig(loaded: LoadedConfig): string {
  const lines = SETTINGS.map(({ path, variable }) => {
    const value = valueAt(loaded.config, path)
    const shown = value === undefined ? '(not set)' : JSON.stringify(value)
    const origin = loaded.origins.get(path) ?? 'default'
    return `${path} = ${shown}  (${origin === 'environment' ? variable : origin})`
  })
  return lines.join('\n')
}

function listSettings(schema: z.ZodType, path: readonly string[]): Setting[] {
  const bare = unwrap(schema)
  if (bare.def.type === 'object' && 'shape' in bare) {
    // The schema tree is zod's; its nodes are typed by the kind that was just tested.
    const shape = bare.shape as Record<string, z.ZodType>
    return Object.entries(shape).flatMap(([key, child]) => listSettings(child, [...path, key]))
  }
  const variable = path.map((key) => key.replace(/[A-Z]/g, '_$&').toUpperCase()).join('_')
  return [{ path: path.join('.'), variable: PREFIX + variable, isList: bare.def.type === 'array' }]
}

/** Without default, prefault, optional and transforms of the result. */
function unwrap(schema: z.ZodType): z.ZodType {
  const { def } = schema
  if ('innerType' in def) return unwrap(def.innerType as z.ZodType)
  if (def.type === 'pipe' && 'in' in def && (def.in as z.ZodType).def.type !== 'transform')
    return unwrap(def.in as z.ZodType)
  return schema
}

type Raw = { [key: string]: unknown }

function isObject(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Where, not what: the engine's text quotes the file, and a secret may stand there. */
function describeSyntax(error: SyntaxError): string {
  const where = /position \d+(?: \(line \d+ column \d+\))?/.exec(error.message)?.[0]
  return where === undefined ? 'is not JSON' : `is not JSON at ${where}`
}

function readConfigFile(file: string, mistakes: string[]): Raw {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isObject(value)) return structuredClone(value)
    mistakes.push(`${file}: must hold one JSON object`)
  } catch (error) {
    const reason = error instanceof SyntaxError ? describeSyntax(error) : 'cannot be read'
    mistakes.push(`${file}: ${reason}`)
  }
  return {}
}

function applyEnvironment(
  raw: Raw,
  environment: Readonly<Record<string, string | undefined>>,
  origins: Map<string, Origin>,
  mistakes: string[],
): void {
  const byVariable = new Map(SETTINGS.map((it) => [it.variable, it]))
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith(PREFIX) || value === undefined || OTHER_NAMES.test(name)) continue
    const setting = byVariable.get(name)
    if (setting === undefined) {
      mistakes.push(`${name}: there is no such setting${suggest(name)}`)
      continue
    }
    // A variable that is set to nothing counts as not set: compose files and shells cannot express
    // the difference.
    if (value === '') continue
    const parts = value.split(',').map((it) => it.trim())
    setPath(raw, setting.path, setting.isList ? parts.filter((it) => it !== '') : value)
    origins.set(setting.path, 'environment')
  }
}

function suggest(name: string): string {
  const words = new Set(name.split('_'))
  const scored = SETTINGS.map(({ variable }) => {
    const own = variable.split('_')
    return {
      variable,
      score: own.filter((it) => words.has(it)).length / Math.max(own.length, words.size),
    }
  })
  const best = scored.toSorted((a, b) => b.score - a.score)[0]
  return best !== undefined && best.score > 0.5 ? `, did you mean ${best.variable}?` : ''
}

function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  origins: ReadonlyMap<string, Origin>,
): string[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map(String)
    const at = path.join('.')
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => `${[...path, key].join('.')}: there is no such setting`)
    const setting = SETTINGS.find((it) => at === it.path || at.startsWith(`${it.path}.`))
    const isFromEnvironment = setting !== undefined && origins.get(setting.path) === 'environment'
    return [`${isFromEnvironment ? setting.variable : at || 'file'}: ${issue.message}`]
  })
}

function hasPath(raw: Raw, path: string): boolean {
  return valueAt(raw, path) !== undefined
}

function valueAt(root: unknown, path: string): unknown {
  let value: unknown = root
  for (const key of path.split('.'))
    value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return value
}

function setPath(raw: Raw, path: string, value: unknown): void {
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  let target = raw
  for (const key of keys) {
    const next = Object.hasOwn(target, key) ? target[key] : undefined
    const inner: Raw = isObject(next) ? next : {}
    target[key] = inner
    target = inner
  }
  target[last] = value
}

function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) freeze(inner)
  }
  return value
}

/** The environment of this process, for those who pass it on to others. */
export function processEnvironment(): Record<string, string | undefined> {
  return { ...process.env }
}

/** What the supervisor told this process; undefined when somebody else started it. */
export function readSupervision(): Supervision | undefined {
  const text = process.env[SUPERVISION_NAME]
  return text === undefined ? undefined : supervisionSchema.parse(JSON.parse(text))
}
