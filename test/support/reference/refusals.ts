// How the reference says that there is no answer.

/** Code 1: the query is no query, or asks of the rows what they do not have. */
export class Refused extends Error {}

/** Code 5. */
export class TooMany extends Error {}
