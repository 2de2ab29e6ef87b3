// Which arguments of a form name what exists, and what could stand there: it completes what is
// typed. Names that the server does not list, new ones among them, can be typed all the same.
import { runCommand } from '../../../../shared/api/sdk.ts'
import { useAsked } from '../../../../shared/asked.ts'
import type { ShownType } from '../object-kinds.ts'
import { nameEach } from './complete-list.ts'

export type Named = {
  readonly types: readonly ShownType[]
  /** Names with commas, or such as an escalation has; absent: one name. */
  readonly holds?: 'list' | 'steps'
  /** Only those with this argument `type`. */
  readonly ofType?: string
  /** Stands before each name. */
  readonly prefix?: string
}

const REACHING: readonly ShownType[] = [
  ...(['sshAccount', 'externalAccount', 'remoteProductAccount', 'windowsShareAccount'] as const),
]
const GROUPS: Named = { types: ['group'], holds: 'list' }
const PEOPLE: Named = { types: ['user', 'group'], holds: 'list' }

const NAMED: Readonly<Record<string, Named>> = {
  parentFolder: { types: ['folder'] },
  collectionPolicy: { types: ['collectionPolicy'] },
  template: { types: ['template'] },
  account: { types: REACHING },
  archiveAccount: { types: ['externalAccount'] },
  log: { types: ['log'] },
  owner: { types: ['user'] },
  policy: { types: ['policy'] },
  appTags: { types: ['appTag'], holds: 'list' },
  folders: { types: ['folder'], holds: 'list' },
  logs: { types: ['log'], holds: 'list' },
  accounts: { types: ['listener'], holds: 'list' },
  groups: GROUPS,
  parents: GROUPS,
  administeredGroups: GROUPS,
  members: PEOPLE,
  administrators: PEOPLE,
  escalation: { types: ['alertTarget'], holds: 'steps' },
  forwardTo: { types: ['alertTarget'], ofType: 'webhook', prefix: 'account:' },
}

/** Undefined: it names nothing that could be listed. */
export function namedBy(type: ShownType, argument: string): Named | undefined {
  if (type === 'queryTask' && argument === 'account') return { types: ['databaseAccount'] }
  return NAMED[argument]
}

/** What the user may list of these; nothing where he may not. */
export function useNames(
  types: readonly ShownType[],
  { ofType, prefix = '' }: Partial<Named> = {},
): readonly string[] {
  const { answer = [] } = useAsked(`names ${types.join()} ${ofType}`, async (signal) => {
    const details = String(ofType !== undefined)
    const listed = await Promise.allSettled(
      types.map(async (type) => {
        const { objects } = await runCommand('list', { type, details }, signal)
        return objects
          .filter(({ arguments: given }) => ofType === undefined || given?.type === ofType)
          .map(({ name }) => ({ type, name: `${prefix}${name}` }))
      }),
    )
    return nameEach(listed.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])))
  })
  return answer
}
