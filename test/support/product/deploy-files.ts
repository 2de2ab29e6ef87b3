// The files of infra/deploy as tests read them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asMap, readYaml, type YamlMap } from './read-yaml.ts'

export const DEPLOY = join(import.meta.dirname, '../../../infra/deploy')

export function readDeployFile(path: string): string {
  return readFileSync(join(DEPLOY, path), 'utf8')
}

export function readDeployYaml(path: string): YamlMap {
  return asMap(readYaml(readDeployFile(path)))
}
