// A place in a partition between two events: in the block at `offset`, before its event `index`
// (counted over all events of the block, good and bad). Index 0 is the block's start.

export type Cursor = { readonly offset: number; readonly index: number }

/** From `from` up to, not including, `to`. */
export type Range = { readonly from: Cursor; readonly to: Cursor }
