/**
 * Random delays between pages and their node: answers come in another order than they were requested in, and
 * messages of the stream between them, each direction of a connection in order. `npm test -- --delays` sets
 * them (docs/development.md#tests-under-load); a test that fails only with them waits for one fact and reads
 * another one, or has found a page that does.
 */
import type { BrowserContext } from 'playwright-core'
// @ts-expect-error The tools are plain JavaScript without types.
import { DELAYS_VARIABLE } from '../../../tools/lib/browser.mjs'
import { randomNumbers } from '../../support/random-numbers.ts'

/** How slow a path or a direction can be: the longest delay, in milliseconds. */
const SLOWNESS_MS = [0, 0, 0, 60, 300, 1_500] as const

const seed = process.env[DELAYS_VARIABLE]
const drawOfRun = seed === undefined ? undefined : randomNumbers(Number(seed))

/**
 * Delays everything that pages of this context send and receive, if this run asks for it: each path of the
 * node by a slowness of its own, and each direction of each stream.
 */
export async function addDelays(context: BrowserContext, draw = drawOfRun): Promise<void> {
  if (draw === undefined) return
  const byPath = new Map<string, () => number>()
  await context.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url())
    const delayMs = byPath.get(pathname) ?? delays(draw)
    byPath.set(pathname, delayMs)
    await Bun.sleep(delayMs())
    // The page may have been closed meanwhile.
    await route.fallback().catch(() => {})
  })
  await context.routeWebSocket('**/*', (page) => {
    const node = page.connectToServer()
    const [toNode, toPage] = [inOrder(delays(draw)), inOrder(delays(draw))]
    page.onMessage((message) => toNode(() => node.send(message)))
    node.onMessage((message) => toPage(() => page.send(message)))
    page.onClose((code, reason) => toNode(() => node.close(closing(code, reason))))
    node.onClose((code, reason) => toPage(() => page.close(closing(code, reason))))
  })
}

function closing(code: number | undefined, reason: string | undefined) {
  return { ...(code === undefined ? {} : { code }), ...(reason === undefined ? {} : { reason }) }
}

/** Draws one slowness, and then delays up to it, in milliseconds. */
function delays(draw: () => number): () => number {
  const slownessMs = SLOWNESS_MS[Math.floor(draw() * SLOWNESS_MS.length)] ?? 0
  return () => draw() * slownessMs
}

/** Carries out each step after a delay, and none before an earlier one. */
function inOrder(delayMs: () => number): (step: () => unknown) => void {
  let last = Promise.resolve()
  return (step) => {
    const due = Bun.sleep(delayMs())
    last = Promise.all([last, due]).then(async () => {
      try {
        await step()
      } catch {
        // The other side has been closed meanwhile.
      }
    })
  }
}
