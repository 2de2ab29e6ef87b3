// Path rules of tests that are about something else: everything may be read and written to.
import type { PathRules } from '../../../infra/files/path-rules.ts'

export const OPEN_PATHS: PathRules = { readRoots: ['/'], copyRoots: ['/'], closed: [] }
