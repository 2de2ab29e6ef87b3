// What lies where in a backup: a directory whose files have the places that they have in a data
// directory, but for those named here.

export const MANIFEST_FILE = 'manifest'
/** Blocks of the event log that were not stored; not the engine's own form. */
export const BLOCKS_FILE = 'event-log-blocks'
/** In a data directory while a restore is at work, or was killed. */
export const UNFINISHED_FILE = 'restore-unfinished'
/** In a data directory, unless LOGEYE_BACKUP_DIR says another place. */
export const BACKUPS_DIRECTORY = 'backups'

/** Until it is whole. */
export function draftName(name: string): string {
  return `.${name}.part`
}
