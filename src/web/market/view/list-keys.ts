/** The keys that go through a list while the focus is in the field that searches it. */

const PAGE = 10

/** The row that a key chooses, of so many, from the chosen one (-1: none); undefined: the key is none of theirs, or there is no row. */
export function rowOfKey(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  chosen: number,
  count: number,
): number | undefined {
  // With Shift they mark what was typed.
  if (count === 0 || shiftKey) return undefined
  const within = (row: number) => Math.min(Math.max(row, 0), count - 1)
  switch (key) {
    case 'ArrowDown':
      return within(chosen + 1)
    case 'ArrowUp':
      return within(chosen - 1)
    case 'PageDown':
      return within(chosen + PAGE)
    case 'PageUp':
      return within(chosen - PAGE)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
