/** Pixels of a chart in a mail. */
export const PICTURE_SIZE = { width: 600, height: 180 }
