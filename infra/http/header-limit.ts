// Must be imported before uWebSockets.js: its native part reads this variable once, when it loads.
// A search of 32,768 characters is up to 98,304 bytes in an address (decision 4.3); the default of 4 KiB answers 431.
// The supervisor also gives it to the processes that it starts.
export const HEADER_LIMIT_NAME = 'UWS_HTTP_MAX_HEADERS_SIZE'
export const HEADER_LIMIT_BYTES = 131_072

// biome-ignore lint/style/noProcessEnv: the module offers no other way to set it
process.env[HEADER_LIMIT_NAME] ??= String(HEADER_LIMIT_BYTES)
