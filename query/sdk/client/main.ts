#!/usr/bin/env node
// logeye-sdk: the client as a program.
import { EXIT_CODES } from './exit-codes.ts'
import { runClient } from './run-client.ts'

// Not process.exit: what was printed into a pipe must arrive.
process.exitCode = EXIT_CODES[await runClient(process.argv.slice(2), process)].code
