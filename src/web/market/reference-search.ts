/** A part of the reference that can be found. */
export type Entry = { readonly id: string; readonly name: string; readonly text: string }

/** Those that have every word of what is asked for, in any case; first those whose names have them, then those whose texts do. Empty: none. */
export function matching(entries: readonly Entry[], asked: string): readonly Entry[] {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const hasAll = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const named = entries.filter(({ name }) => hasAll(name))
  const others = entries.filter((entry) => !named.includes(entry) && hasAll(`${entry.name} ${entry.text}`))
  return [...named, ...others]
}
