/** A part of the reference that can be searched. */
export type Entry = { readonly id: string; readonly name: string; readonly text: string }

/**
 * Entries that contain every word of the search, in any case: first those with all words in their names, then
 * those with all in their texts. An empty search finds none.
 */
export function matching(entries: readonly Entry[], asked: string): readonly Entry[] {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const hasAll = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const named = entries.filter(({ name }) => hasAll(name))
  const others = entries.filter((entry) => !named.includes(entry) && hasAll(`${entry.name} ${entry.text}`))
  return [...named, ...others]
}
