// The files of infra/deploy as tests read them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { asMap, type YamlMap } from './yaml-values.ts'

export const DEPLOY = join(import.meta.dirname, '../../../infra/deploy')

export function readDeployFile(path: string): string {
  return readFileSync(join(DEPLOY, path), 'utf8')
}

export function readDeployYaml(path: string): YamlMap {
  return asMap(readYaml(readDeployFile(path)))
}

/** A warning refuses the file, too: what one reader doubts, another may read differently. */
export function readYaml(text: string): unknown {
  // Compose files merge maps (`<<`), which YAML 1.2 does only when told.
  const document = parseDocument(text, { merge: true })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem) throw problem
  return document.toJS()
}
