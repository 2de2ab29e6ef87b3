// The types of configurable objects, in the order in which a configuration is made: what others
// name comes before them (docs/decisions/0042). The type is a word of its command.
export const OBJECT_TYPES = [
  'setting',
  'policy',
  'group',
  'user',
  'collectionPolicy',
  'sshAccount',
  'remoteProductAccount',
  'externalAccount',
  'windowsShareAccount',
  'databaseAccount',
  'alertTarget',
  'folder',
  'template',
  'listener',
  'log',
  'scanTask',
  'syncLogTask',
  'queryTask',
  'appTag',
  'app',
  'dashboard',
  'monitor',
  'maintenanceWindow',
  'report',
  'permission',
] as const

export type ObjectType = (typeof OBJECT_TYPES)[number]
