/** The keyboard of tabs by the pattern of WAI-ARIA: arrows go to the next one and around the ends, Home and End to the first and the last. */

/** The tab that a key chooses, of so many, from the chosen one; undefined: the key is none of theirs. */
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
