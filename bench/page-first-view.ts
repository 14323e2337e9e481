/**
 * How soon does a page show its book over a slow network? The browser itself simulates the network; every
 * visit is the first of a new browser.
 */
import type { Browser } from 'playwright-core'
import { median } from '../test/support/median.ts'
import { table } from './support/conditions.ts'

type Network = {
  readonly name: string
  readonly latencyMs: number
  readonly kbitsDown: number
  readonly kbitsUp: number
}

/** The values of Chromium's own tools. */
const NETWORKS: readonly Network[] = [
  { name: 'as it is', latencyMs: 0, kbitsDown: 0, kbitsUp: 0 },
  { name: 'slow 4G', latencyMs: 562, kbitsDown: 1_440, kbitsUp: 675 },
  { name: '3G', latencyMs: 2_000, kbitsDown: 400, kbitsUp: 400 },
]

type View = {
  readonly paintMs: number
  readonly bookMs: number
  readonly bytes: number
  readonly files: number
}

export const NETWORK_NAMES = NETWORKS.map(({ name }) => name)

export type FirstViewSize = { readonly times: number; readonly networks: readonly string[] }

export async function firstViews(
  browser: Browser,
  address: string,
  { times, networks }: FirstViewSize,
): Promise<string> {
  const rows = [['network', 'first paint ms', 'first row of the book ms', 'kB over the network', 'files']]
  for (const network of NETWORKS.filter(({ name }) => networks.includes(name))) {
    const views: View[] = []
    for (let time = 0; time < times; time++) views.push(await firstView(browser, address, network))
    const of = (figure: keyof View) => median(views.map((view) => view[figure]))
    const kb = (of('bytes') / 1_000).toFixed(1)
    rows.push([network.name, of('paintMs').toFixed(0), of('bookMs').toFixed(0), kb, of('files').toFixed(0)])
  }
  return `\nfirst views, medians of ${times}; bytes and files until the first row of the book\n${table(rows)}`
}

async function firstView(browser: Browser, address: string, network: Network): Promise<View> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    let [bytes, files] = [0, 0]
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
      files++
    })
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', conditionsOf(network))
    await page.addInitScript(() => {
      const look = () => {
        if (document.querySelector('#bids td:first-child')?.textContent)
          Object.assign(globalThis, { bookMs: performance.now() })
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
    await page.goto(address, { waitUntil: 'commit', timeout: 120_000 })
    await page.waitForFunction(() => 'bookMs' in globalThis, undefined, { timeout: 120_000 })
    const loaded = { bytes, files }
    const times = await page.evaluate(() => ({
      paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      bookMs: (globalThis as unknown as { readonly bookMs: number }).bookMs,
    }))
    return { ...loaded, ...times }
  } finally {
    await context.close()
  }
}

function conditionsOf({ latencyMs, kbitsDown, kbitsUp }: Network) {
  const bytes = (kbits: number) => (kbits === 0 ? -1 : (kbits * 1_000) / 8)
  return {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytes(kbitsDown),
    uploadThroughput: bytes(kbitsUp),
  }
}
