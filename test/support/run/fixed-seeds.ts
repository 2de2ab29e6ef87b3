// Before every test file: its clock begins at the test date, and properties of fast-check run
// with one seed, so that no commit is refused by luck. LOGEYE_FAST_CHECK_SEED=random (or a
// number) by hand.
import fc from 'fast-check'
import { readSeed } from './seed.ts'
import { restartTestClock } from './test-clock.ts'

fc.configureGlobal({ seed: readSeed('LOGEYE_FAST_CHECK_SEED', 1) })
restartTestClock()
