// Before every test file: which worker runs it, and where that one writes what it does when it is
// asked (end-hung-files.ts).
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { expect } from 'vitest'
import { WORKER_FILES } from './worker-files.ts'

const folder = process.env[WORKER_FILES]
if (folder !== undefined) {
  writeFileSync(join(folder, `${process.pid}`), String(expect.getState().testPath))
  if (isMainThread && process.report !== undefined) {
    process.report.reportOnSignal = true
    process.report.directory = folder
    process.report.filename = `${process.pid}.json`
  }
}
