// How the client ends: for the program and its manual.
export const EXIT_CODES = {
  done: { code: 0, meaning: 'done' },
  refused: { code: 1, meaning: 'refused by the product; the reason is on standard error' },
  wrongUsage: { code: 2, meaning: 'wrong usage: nothing was sent' },
  unreachable: {
    code: 3,
    meaning: 'not reachable: no answer, no trusted certificate, or something else answers there',
  },
  signInFailed: { code: 4, meaning: 'sign-in failed' },
} as const

export type Ending = keyof typeof EXIT_CODES
