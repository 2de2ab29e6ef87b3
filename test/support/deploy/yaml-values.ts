// What a YAML file holds, taken for what a test expects there.
import { z } from 'zod'

export type YamlMap = { readonly [key: string]: unknown }

const map = z.record(z.string(), z.unknown())
const list = z.array(z.unknown())

/** Throws when it is something else. */
export function asMap(value: unknown): YamlMap {
  return map.parse(value)
}

/** Absent counts as empty. */
export function asList(value: unknown): readonly unknown[] {
  return list.parse(value ?? [])
}
