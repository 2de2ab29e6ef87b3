// What stands before a cluster sends the addresses of all inputs to the listeners.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { INPUTS } from '../../../../ingest/listener/inputs/inputs.ts'
import { DEPLOY } from '../../../support/deploy/deploy-files.ts'

const FILES = [
  'infra/deploy/haproxy/haproxy.cfg',
  'infra/deploy/helm/logeye/templates/ingress.yaml',
  'test/support/cluster/edge-proxy.ts',
]

describe.each(FILES)('%s', (file) => {
  it.each(INPUTS.map(({ path }) => path))('names %s', (path) => {
    expect(path).toMatch(/^\/logeye\/api\//)
    expect(readFileSync(join(DEPLOY, '../..', file), 'utf8')).toContain(path)
  })
})
