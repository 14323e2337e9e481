/** Types of `test-queue.mjs` for the test that imports it. */
export function runQueue<Item>(
  items: readonly Item[],
  options: {
    readonly loadOf: (item: Item) => number
    readonly room: number
    readonly run: (item: Item) => Promise<unknown>
    readonly isOver?: () => boolean
  },
): Promise<void>
