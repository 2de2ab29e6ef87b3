// Before every test file: properties of fast-check run with one seed, so that no commit is refused
// by luck. LOGEYE_FAST_CHECK_SEED=random (or a number) by hand.
import fc from 'fast-check'
import { readSeed } from './seed.ts'

fc.configureGlobal({ seed: readSeed('LOGEYE_FAST_CHECK_SEED', 1) })
