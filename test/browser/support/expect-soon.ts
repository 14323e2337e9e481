import { expect } from 'bun:test'
import { PAGE_WAIT_MS_MAX } from './bounded.ts'

const AGAIN_MS = 20

/**
 * Waits until the page shows this; otherwise fails with the difference. Consequences of a fact may not be
 * drawn yet when the fact itself is.
 */
export async function expectSoon<Shown>(read: () => Promise<Shown>, wanted: NoInfer<Shown>): Promise<void> {
  const endMs = performance.now() + PAGE_WAIT_MS_MAX
  let shown = await read()
  while (!Bun.deepEquals(shown, wanted) && performance.now() < endMs) {
    await Bun.sleep(AGAIN_MS)
    shown = await read()
  }
  expect<unknown>(shown).toEqual(wanted)
}
