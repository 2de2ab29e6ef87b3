/** Exit status of a campaign whose needs are not there; the suite skips it aloud. */
export const CANNOT_RUN = 77
