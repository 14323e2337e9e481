/** The keys that move through a list while the focus is in its search field. */

const PAGE = 10

/**
 * The row that a key chooses among `count`, starting from the chosen one (-1 for none); undefined for any
 * other key, or without rows.
 */
export function rowOfKey(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  chosen: number,
  count: number,
): number | undefined {
  // With Shift they select the typed text.
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
