/** Gives the user a file that the page has made. */
export function saveJson(name: string, value: unknown): void {
  const text = `${JSON.stringify(value, undefined, 2)}\n`
  const url = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name.replace(/[\\/:*?"<>|]/g, '_')
  link.click()
  URL.revokeObjectURL(url)
}
