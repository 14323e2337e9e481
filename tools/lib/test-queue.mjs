/**
 * Runs items of different weight concurrently, as many as there is room for: the next item is the first
 * waiting one that fits.
 */

/**
 * Runs all items; resolves when the last one has ended. `loadOf`: the room that an item takes; an item that
 * needs more than `room` runs alone. `isOver`: when it returns true, no further item is started.
 */
export async function runQueue(items, { loadOf, room, run, isOver = () => false }) {
  const waiting = [...items]
  const running = new Set()
  let taken = 0
  const next = () => {
    const at = waiting.findIndex((item) => taken === 0 || taken + loadOf(item) <= room)
    return at < 0 || isOver() ? undefined : waiting.splice(at, 1)[0]
  }
  const begin = (item) => {
    taken += loadOf(item)
    const ended = run(item).finally(() => {
      taken -= loadOf(item)
      running.delete(ended)
    })
    running.add(ended)
  }
  for (;;) {
    for (let item = next(); item !== undefined; item = next()) begin(item)
    if (running.size === 0) return
    await Promise.race(running)
  }
}
