// Which arguments name an object of another type, so that its names can be offered. Pure.
import type { ShownType } from './object-kinds.ts'

type Types = readonly ShownType[]

const FILE_ACCOUNTS: Types = ['sshAccount', 'externalAccount', 'windowsShareAccount']

const BY_ARGUMENT: Readonly<Record<string, Types>> = {
  parentFolder: ['folder'],
  collectionPolicy: ['collectionPolicy'],
  template: ['template'],
  policy: ['policy'],
  owner: ['user'],
  archiveAccount: ['externalAccount'],
}

const BY_TYPE: { readonly [Type in ShownType]?: Readonly<Record<string, Types>> } = {
  log: { account: [...FILE_ACCOUNTS, 'remoteProductAccount'] },
  scanTask: { account: FILE_ACCOUNTS },
  queryTask: { account: ['databaseAccount'], log: ['log'] },
}

/** Empty: it names none, or several. */
export function namedTypes(type: ShownType, argument: string): Types {
  return BY_TYPE[type]?.[argument] ?? BY_ARGUMENT[argument] ?? []
}
