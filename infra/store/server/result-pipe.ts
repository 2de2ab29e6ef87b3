// A named pipe through which the engine streams one statement's rows (`INTO OUTFILE`). chdb's own
// streaming plans on our event loop, so that a heavy sub-query would stop the whole process, and
// keeps a failed query in system.processes. The pipe must be read to its end also when nobody wants
// the rows: an engine thread blocked in write() cannot be killed.
import { execFileSync } from 'node:child_process'
import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'

export type OpenPipe = {
  readonly rows: Readable
  /** Ends `rows` once the engine has closed its side, too. Exactly once. */
  finish(): void
}

/** Node cannot make a named pipe. By its own path, so that a short PATH does not stop the store. */
const MKFIFO = ['/usr/bin/mkfifo', '/bin/mkfifo'].find(existsSync) ?? 'mkfifo'

export function makePipe(path: string): void {
  execFileSync(MKFIFO, ['-m', '600', path])
}

export function openPipe(path: string): OpenPipe {
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  // Held until the statement is over, so that the end of the rows comes then and not before the
  // engine has opened the pipe.
  const holder = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  return {
    rows: new Socket({ fd: reader, readable: true, writable: false }),
    finish: () => closeSync(holder),
  }
}
