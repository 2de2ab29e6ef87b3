// How long an address with its headers may be. uWebSockets.js reads this from the environment once,
// when its native part loads.
export const HEADER_LIMIT_NAME = 'UWS_HTTP_MAX_HEADERS_SIZE'
/** A search of 32,768 characters is up to 98,304 bytes in an address (decision 4.3); the default of
 *  4 KiB answers 431. */
export const HEADER_LIMIT_BYTES = 131_072
