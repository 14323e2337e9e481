/**
 * Random delays between pages and their node: answers arrive in a different order from the requests, and
 * messages of the stream between them, each direction of a connection in order. `npm test -- --delays` sets
 * them (docs/development.md#tests-under-load). A test that fails only with delays waits for one fact and
 * reads another one, or has found a page that does.
 */
import type { BrowserContext, Page } from 'playwright-core'
// @ts-expect-error The tools are plain JavaScript without types.
import { DELAYS_VARIABLE } from '../../../tools/lib/browser.mjs'
import { randomNumbers } from '../../support/random-numbers.ts'

/** Longest delay of a path or a direction, in milliseconds; one of these is drawn. */
const SLOWNESS_MS = [0, 0, 0, 60, 300, 1_500] as const
/** The factor by which a page's computation is slowed down; one of these is drawn. */
const CPU_RATES = [1, 1, 2, 4] as const

const seed = process.env[DELAYS_VARIABLE]
const drawOfRun = seed === undefined ? undefined : randomNumbers(Number(seed))

/**
 * Delays everything that pages of this context send and receive, if this run requests it: each path of the
 * node by a slowness of its own, and each direction of each stream. Each page computes as on a machine of its
 * own speed.
 */
export async function addDelays(context: BrowserContext, draw = drawOfRun): Promise<void> {
  if (draw === undefined) return
  context.on('page', (page) => void slowDown(page, pick(CPU_RATES, draw)))
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

function pick(values: readonly number[], draw: () => number): number {
  return values[Math.floor(draw() * values.length)] ?? 0
}

function closing(code: number | undefined, reason: string | undefined) {
  return { ...(code === undefined ? {} : { code }), ...(reason === undefined ? {} : { reason }) }
}

/** A page that is closed at once is not slowed down. */
async function slowDown(page: Page, rate: number): Promise<void> {
  const devtools = await page
    .context()
    .newCDPSession(page)
    .catch(() => undefined)
  await devtools?.send('Emulation.setCPUThrottlingRate', { rate }).catch(() => {})
}

/** Draws one slowness, and then delays up to it, in milliseconds. */
function delays(draw: () => number): () => number {
  const slownessMs = pick(SLOWNESS_MS, draw)
  return () => draw() * slownessMs
}

/** Carries out each step after a delay, and never before an earlier one. */
function inOrder(delayMs: () => number): (step: () => unknown) => void {
  let last = Promise.resolve()
  return (step) => {
    const due = Bun.sleep(delayMs())
    last = Promise.all([last, due]).then(async () => {
      try {
        await step()
      } catch {
        // The other side has been closed.
      }
    })
  }
}
