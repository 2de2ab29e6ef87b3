// Disks of the embedded engine, as it names them.
export const OWN_DISK = 'default'
/** Before the number of a directory of LOGEYE_STORE_DIRECTORIES. */
export const DISK_PREFIX = 'logeye_'
