/** A list of places that is filled anew for each event. `at >= 0`: offset in the body. `at < 0`:
 *  offset `~at` in the buffer of values that we made. */
export class Places {
  readonly ats: number[] = []
  readonly lengths: number[] = []
  count = 0

  add(at: number, length: number): void {
    const i = this.count++
    this.ats[i] = at
    this.lengths[i] = length
  }
}
