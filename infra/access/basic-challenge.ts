/** How to sign in: the header `WWW-Authenticate` of every 401. */
export const BASIC_CHALLENGE = 'Basic realm="logeye", charset="UTF-8"'
