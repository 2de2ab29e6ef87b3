// Which arguments of a form name what exists, and what could stand there: it completes what is
// typed. Names that the server does not list, new ones among them, can be typed all the same.
import { runCommand } from '../../../../shared/api/sdk.ts'
import { useAsked } from '../../../../shared/asked.ts'
import type { ShownType } from '../object-kinds.ts'
import { nameEach } from './complete-list.ts'

type Named = { readonly types: readonly ShownType[]; readonly isList?: true }

const REACHING: readonly ShownType[] = [
  ...(['sshAccount', 'externalAccount', 'remoteProductAccount', 'windowsShareAccount'] as const),
]
const GROUPS: Named = { types: ['group'], isList: true }
const PEOPLE: Named = { types: ['user', 'group'], isList: true }

const NAMED: Readonly<Record<string, Named>> = {
  parentFolder: { types: ['folder'] },
  collectionPolicy: { types: ['collectionPolicy'] },
  template: { types: ['template'] },
  account: { types: REACHING },
  archiveAccount: { types: ['externalAccount'] },
  log: { types: ['log'] },
  owner: { types: ['user'] },
  policy: { types: ['policy'] },
  appTags: { types: ['appTag'], isList: true },
  folders: { types: ['folder'], isList: true },
  logs: { types: ['log'], isList: true },
  accounts: { types: ['listener'], isList: true },
  groups: GROUPS,
  parents: GROUPS,
  administeredGroups: GROUPS,
  members: PEOPLE,
  administrators: PEOPLE,
}

/** Undefined: it names nothing that could be listed. */
export function namedBy(type: ShownType, argument: string): Named | undefined {
  if (type === 'queryTask' && argument === 'account') return { types: ['databaseAccount'] }
  return NAMED[argument]
}

/** What the user may list of these types; nothing where he may not. */
export function useNames(types: readonly ShownType[]): readonly string[] {
  const { answer = [] } = useAsked(`names ${types.join()}`, async (signal) => {
    const listed = await Promise.allSettled(
      types.map(async (type) => {
        const { objects } = await runCommand('list', { type }, signal)
        return objects.map(({ name }) => ({ type, name }))
      }),
    )
    return nameEach(listed.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])))
  })
  return answer
}
