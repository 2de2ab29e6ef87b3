// Names that ignore case are compared by this text, in every engine alike (design 6: folded name columns, no collation).

export function foldName(name: string): string {
  return name.normalize('NFC').trim().toLowerCase()
}
