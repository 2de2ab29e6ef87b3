import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../../infra/config.ts'
import { supervisionSchema } from '../../../../infra/supervisor/messages.ts'
import { planProcesses } from '../../../../infra/supervisor/plan-processes.ts'
import {
  PROCESSES,
  type Role,
  rolesOf,
  STOP_GROUPS,
  SUPERVISED,
} from '../../../../infra/supervisor/processes.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const WHOLE_STOP_MS = 5000
const STORE = { address: '127.0.0.1', port: 1, password: 'p'.repeat(48) }

function plan(roles: readonly Role[], given: { hasStore?: boolean; fronts?: number } = {}) {
  const { hasStore = false, fronts = 1 } = given
  const { config } = loadConfig({
    environment: {
      LOGEYE_ROLES: roles.join(','),
      LOGEYE_HTTP_FRONT_PROCESSES: String(fronts),
    },
  })
  return planProcesses({
    config,
    configFile: undefined,
    mainFile: 'main.js',
    environment: { PATH: '/bin' },
    ports: { plain: 1234, tls: undefined },
    supervision: { supervisorPid: 1, ...(hasStore ? { store: STORE } : {}) },
  })
}

describe('the table of processes', () => {
  it('has each role in one process, and all of them in the one for everything', () => {
    const supervised = SUPERVISED.flatMap((kind): Role[] => [...PROCESSES[kind].roles])
    expect(new Set(supervised).size).toBe(supervised.length)
    expect(PROCESSES.all.roles).toEqual(supervised)
    expect(Object.keys(PROCESSES)).toEqual([...SUPERVISED, 'all'])
  })

  it('has limits that a whole stop keeps, together or in one', () => {
    const limits = STOP_GROUPS.map((kinds) =>
      Math.max(...kinds.map((kind) => PROCESSES[kind].stopLimitMs)),
    )
    expect(STOP_GROUPS.flat()).toEqual(SUPERVISED)
    expect(limits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(WHOLE_STOP_MS)
    expect(PROCESSES.all.stopLimitMs).toBeLessThan(WHOLE_STOP_MS)
  })

  it('says which of its roles a process runs in a start that has some', () => {
    expect(rolesOf('front', ['writer', 'query'])).toEqual(['query'])
    expect(rolesOf('work', ['listener'])).toEqual([])
    expect(rolesOf('all', ['store', 'writer'])).toEqual(['writer', 'store'])
  })
})

describe('the plan of a start', () => {
  it('has every process in the order of the stop, with what the table says of it', () => {
    const groups = plan(PROCESSES.all.roles, { hasStore: true, fronts: 2 })
    expect(groups.map((group) => group.map(({ name }) => name))).toEqual([
      ['front-1', 'front-2', 'portal'],
      ['work'],
      ['store'],
    ])
    for (const kind of SUPERVISED) {
      const { niceness, threads, stopLimitMs } = PROCESSES[kind]
      const plan = groups.flat().find(({ name }) => name.startsWith(kind))
      expect(plan).toMatchObject({
        args: [...(kind === 'portal' ? ['--max-semi-space-size=4'] : []), 'main.js', 'role', kind],
        environment: { UV_THREADPOOL_SIZE: String(threads), PATH: '/bin' },
        niceness,
        stopLimitMs,
      })
    }
  })

  it('has only the processes that its roles need', () => {
    const names = (...roles: Role[]) => plan(roles).flatMap((group) => group.map((it) => it.name))
    expect(names('query')).toEqual(['front'])
    expect(names('scheduler')).toEqual(['work'])
    expect(names('listener', 'writer')).toEqual(['front', 'work'])
    // The store is elsewhere.
    expect(names('store')).toEqual([])
  })

  it('lets the first process answer for health where there is no front', () => {
    const doors = (groups: ReturnType<typeof plan>) =>
      groups.flat().map(({ name, environment }) => {
        const told = supervisionSchema.parse(JSON.parse(environment.LOGEYE_SUPERVISED ?? '{}'))
        return [name, told.hasHealthDoor]
      })
    expect(doors(plan(['listener', 'writer']))).toEqual([
      ['front', false],
      ['work', false],
    ])
    expect(doors(plan(['writer', 'store'], { hasStore: true }))).toEqual([
      ['work', true],
      ['store', false],
    ])
    expect(doors(plan(['store'], { hasStore: true }))).toEqual([['store', true]])
    expect(doors(plan(['portal', 'writer']))).toEqual([
      ['portal', true],
      ['work', false],
    ])
  })
})

describe('the page of the architecture', () => {
  it.each(Object.entries(PROCESSES))('shows the process %s as the table has it', (kind, facts) => {
    const page = readFileSync(join(ROOT, 'docs/reference/architecture.md'), 'utf8')
    const row = page.split('\n').find((line) => line.startsWith(`| \`${kind}\``)) ?? ''
    const [, roles = '', , ...figures] = row.split('|').slice(1, -1)
    const { niceness, threads, stopLimitMs } = facts
    const named = roles.includes('all') ? PROCESSES.all.roles : roles.match(/\w+/g)
    expect(named).toEqual(facts.roles)
    expect(figures.map((figure) => figure.trim())).toEqual([
      String(niceness),
      String(threads),
      `${(stopLimitMs / 1000).toFixed(1)} s`,
    ])
  })
})
