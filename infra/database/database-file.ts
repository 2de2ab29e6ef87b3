// Name of the embedded database in the data directory.
export const DATABASE_FILE = 'logeye.db'
