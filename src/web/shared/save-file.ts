/** Has the browser keep something as a file. What it is made of is let go once the browser has begun to read it. */

export type SavedFile = {
  readonly name: string
  /** `text/csv`; the text is UTF-8. */
  readonly type: string
  /** The text, in as many parts as it came in. */
  readonly parts: readonly string[]
}

export function saveFile({ name, type, parts }: SavedFile): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
