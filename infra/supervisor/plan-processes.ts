// Which processes a start needs, and how each is started.
import type { Config } from '../config-schema.ts'
import { HEADER_LIMIT_BYTES, HEADER_LIMIT_NAME } from '../http/header-limit-name.ts'
import type { ChildPlan } from './child.ts'
import { SUPERVISION_NAME, type Supervision } from './messages.ts'
import { PROCESSES, rolesOf, SUPERVISED } from './processes.ts'

type SupervisedKind = (typeof SUPERVISED)[number]
export type Ports = { readonly plain: number; readonly tls: number | undefined }

type Options = {
  readonly config: Pick<Config, 'roles' | 'dataDir' | 'http'>
  readonly configFile: string | undefined
  /** The program that children run. */
  readonly mainFile: string
  /** The environment of this process; the children get what is not set here. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly ports: Ports
  readonly supervision: Supervision
}

/** One group a kind of process, in the order of the stop. The first answers for health and metrics.
 *  */
export function planProcesses(options: Options): ChildPlan[][] {
  const { config, supervision } = options
  const isNeeded = (kind: SupervisedKind) =>
    kind === 'store' ? supervision.store !== undefined : rolesOf(kind, config.roles).length > 0
  const [first, ...others] = SUPERVISED.filter(isNeeded)
  if (first === undefined) return []
  return [
    planKind(options, first, { hasHealthDoor: first !== 'front' }),
    ...others.map((kind) => planKind(options, kind, { hasHealthDoor: false })),
  ]
}

function planKind(
  options: Options,
  kind: SupervisedKind,
  door: { readonly hasHealthDoor: boolean },
): ChildPlan[] {
  const { config, configFile, mainFile, environment, ports, supervision } = options
  const { niceness, threads, stopLimitMs } = PROCESSES[kind]
  const file = configFile === undefined ? [] : ['--config', configFile]
  return namesOf(kind, config.http.frontProcesses).map((name) => ({
    name,
    command: process.execPath,
    args: [mainFile, 'role', kind, ...file],
    environment: {
      UV_THREADPOOL_SIZE: String(threads),
      [HEADER_LIMIT_NAME]: String(HEADER_LIMIT_BYTES),
      ...environment,
      LOGEYE_DATA_DIR: config.dataDir,
      LOGEYE_HTTP_PLAIN_PORT: String(ports.plain),
      ...(ports.tls === undefined ? {} : { LOGEYE_HTTP_TLS_PORT: String(ports.tls) }),
      [SUPERVISION_NAME]: JSON.stringify({ ...supervision, name, ...door }),
    },
    niceness,
    stopLimitMs,
  }))
}

function namesOf(kind: SupervisedKind, frontProcesses: number): string[] {
  if (kind !== 'front' || frontProcesses === 1) return [kind]
  return Array.from({ length: frontProcesses }, (_, at) => `${kind}-${at + 1}`)
}
