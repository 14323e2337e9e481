/**
 * Makes the browser save data as a file. The data is released from memory once the browser has begun to read
 * it.
 */

export type SavedFile = {
  readonly name: string
  /** `text/csv`; the text is UTF-8. */
  readonly type: string
  /** The text, in the parts in which it arrived. */
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
