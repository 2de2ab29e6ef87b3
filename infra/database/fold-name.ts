// Names that ignore case are compared by this text, in every engine alike (columns hold it folded,
// so that no collation matters).

export function foldName(name: string): string {
  return name.normalize('NFC').trim().toLowerCase()
}
