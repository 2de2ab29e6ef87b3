// Must be imported before uWebSockets.js. The supervisor also gives the variable to the processes
// that it starts.
import { HEADER_LIMIT_BYTES, HEADER_LIMIT_NAME } from '../header-limit-name.ts'

// biome-ignore lint/style/noProcessEnv: the module offers no other way to set it
process.env[HEADER_LIMIT_NAME] ??= String(HEADER_LIMIT_BYTES)
