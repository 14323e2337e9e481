/**
 * The keyboard of tabs by the WAI-ARIA pattern: arrows go to the next or previous tab and wrap around, Home
 * and End go to the first and the last.
 */

/** The tab that a key chooses among `count`, starting at the chosen one; undefined for any other key. */
export function tabOfKey(key: string, chosen: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (chosen + 1) % count
    case 'ArrowLeft':
      return (chosen - 1 + count) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
