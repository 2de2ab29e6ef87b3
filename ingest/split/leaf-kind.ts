// What a leaf value of an event can be.

export const TEXT = 0
export const EMPTY_TEXT = 1
export const NUMBER = 2
export const EXACT_NUMBER = 3
export const BOOL = 4
export const NULL = 5
/** An array, or an object below the parsing level, kept as JSON text. */
export const BLOB = 6
/** `[]` or a deep `{}`: no value, its token stands in the layout. */
export const EMPTY_BLOB = 7
export type LeafKind = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7
