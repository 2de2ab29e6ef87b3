// libuv's threads of each process (UV_THREADPOOL_SIZE, read once when a process starts): chdb keeps
// one busy a session; the front unpacks bodies, hashes passwords and flushes the event log with
// them.
export const THREADS = { front: 8, work: 6, store: 32 } as const
