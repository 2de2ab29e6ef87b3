/** A list of places that is filled anew for each event. A place counts bytes of the body; from -1
 *  downwards those of what was made (`~at`). */
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
