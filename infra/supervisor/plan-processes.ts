// Which processes a start needs, and how each is started.
import type { Config } from '../config-schema.ts'
import { HEADER_LIMIT_BYTES, HEADER_LIMIT_NAME } from '../http/header-limit-name.ts'
import type { ChildPlan } from './child.ts'
import { SUPERVISION_NAME, type Supervision } from './messages.ts'
import { PORTAL_YOUNG_MIB, PROCESSES, rolesOf, STOP_GROUPS, type SUPERVISED } from './processes.ts'

type SupervisedKind = (typeof SUPERVISED)[number]
export type Ports = {
  readonly plain: number
  readonly tls: number | undefined
  /** Absent where the portal does not run. */
  readonly portal?: { readonly plain: number; readonly tls: number | undefined }
}

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

/** Groups of those that stop together, in the order of the stop. The first process answers for
 *  health and metrics. */
export function planProcesses(options: Options): ChildPlan[][] {
  const { config, supervision } = options
  const isNeeded = (kind: SupervisedKind) =>
    kind === 'store' ? supervision.store !== undefined : rolesOf(kind, config.roles).length > 0
  const groups = STOP_GROUPS.map((kinds) => kinds.filter(isNeeded))
  const first = groups.flat()[0]
  const plan = (kind: SupervisedKind) =>
    planKind(options, kind, { hasHealthDoor: kind === first && kind !== 'front' })
  return groups.map((kinds) => kinds.flatMap(plan)).filter((group) => group.length > 0)
}

function planKind(
  options: Options,
  kind: SupervisedKind,
  door: { readonly hasHealthDoor: boolean },
): ChildPlan[] {
  const { config, configFile, mainFile, environment, ports, supervision } = options
  const { niceness, threads, stopLimitMs } = PROCESSES[kind]
  const file = configFile === undefined ? [] : ['--config', configFile]
  const flags = kind === 'portal' ? [`--max-semi-space-size=${PORTAL_YOUNG_MIB}`] : []
  return namesOf(kind, config.http.frontProcesses).map((name) => ({
    name,
    command: process.execPath,
    args: [...flags, mainFile, 'role', kind, ...file],
    environment: {
      UV_THREADPOOL_SIZE: String(threads),
      [HEADER_LIMIT_NAME]: String(HEADER_LIMIT_BYTES),
      ...environment,
      LOGEYE_DATA_DIR: config.dataDir,
      LOGEYE_HTTP_PLAIN_PORT: String(ports.plain),
      ...(ports.tls === undefined ? {} : { LOGEYE_HTTP_TLS_PORT: String(ports.tls) }),
      ...portalPorts(ports.portal),
      [SUPERVISION_NAME]: JSON.stringify({ ...supervision, name, ...door }),
    },
    niceness,
    stopLimitMs,
  }))
}

function portalPorts(ports: Ports['portal']): Readonly<Record<string, string>> {
  if (ports === undefined) return {}
  return {
    LOGEYE_PORTAL_PLAIN_PORT: String(ports.plain),
    ...(ports.tls === undefined ? {} : { LOGEYE_PORTAL_TLS_PORT: String(ports.tls) }),
  }
}

function namesOf(kind: SupervisedKind, frontProcesses: number): string[] {
  if (kind !== 'front' || frontProcesses === 1) return [kind]
  return Array.from({ length: frontProcesses }, (_, at) => `${kind}-${at + 1}`)
}
