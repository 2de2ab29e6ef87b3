// Ends a process when we end, also when we are killed: a second process holds a pipe of ours, and
// signals it when that is cut.
import { type ChildProcess, spawn } from 'node:child_process'

export function guardProcess(child: ChildProcess, signal: 'KILL' | 'QUIT'): void {
  const watcher = spawn('sh', ['-c', `read -r _; kill -${signal} ${child.pid} 2>/dev/null`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  // Its number may belong to another process later.
  child.once('exit', () => watcher.kill('SIGKILL'))
  watcher.stdin?.on('error', () => undefined)
  watcher.unref()
  const pipe: unknown = watcher.stdin
  if (
    typeof pipe === 'object' &&
    pipe !== null &&
    'unref' in pipe &&
    typeof pipe.unref === 'function'
  )
    pipe.unref()
  child.unref()
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
