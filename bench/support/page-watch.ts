/** A page in a real browser that is measured: its trace, its memory, and when it shows what. */
import type { Browser, CDPSession, Page, ViewportSize } from 'playwright-core'
import { openPage } from '../../test/browser/support/browser.ts'
import type { Mark } from './page-load.ts'
import { CATEGORIES, type MainThread, mainThreadOf, type TraceEvent } from './page-trace.ts'

type Watching = { readonly shown: [text: string, at: number][]; stop: boolean }

export class PageWatch {
  readonly page: Page
  readonly #browser: Browser
  readonly #session: CDPSession

  static async open(browser: Browser, address: string, viewport: ViewportSize): Promise<PageWatch> {
    const { page } = await openPage(browser, address, viewport)
    await page.locator('#connection', { hasText: /^Live$/ }).waitFor()
    return new PageWatch(browser, page, await page.context().newCDPSession(page))
  }

  private constructor(browser: Browser, page: Page, session: CDPSession) {
    this.#browser = browser
    this.page = page
    this.#session = session
  }

  /** How many times slower the page's CPU is than the machine's. */
  async slowDown(rate: number): Promise<void> {
    await this.#session.send('Emulation.setCPUThrottlingRate', { rate })
  }

  /** Bytes of the heap that are in use, after the collector has run. */
  async heapBytes(): Promise<number> {
    await this.#session.send('HeapProfiler.collectGarbage')
    await this.#session.send('Performance.enable')
    const { metrics } = await this.#session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN
  }

  /** What the main thread does while `during` runs. */
  async trace(during: () => Promise<void>): Promise<MainThread> {
    await this.#browser.startTracing(this.page, { categories: CATEGORIES })
    await during()
    const trace = await this.#browser.stopTracing()
    const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] }
    return mainThreadOf(traceEvents)
  }

  /** A callback at every frame from now on, which reads the quantity of the best bid; so the browser draws as often as it can. */
  async watchFrames(): Promise<void> {
    await this.page.evaluate(() => {
      const watching: Watching = { shown: [], stop: false }
      Object.assign(globalThis, { watching })
      const cell = () => document.querySelector('#bids td:nth-child(2)')?.textContent ?? ''
      const look = () => {
        const text = cell()
        if (text !== watching.shown.at(-1)?.[0])
          watching.shown.push([text, performance.timeOrigin + performance.now()])
        if (!watching.stop) requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
  }

  /** Milliseconds from each mark to the frame in which the page had it. */
  async delays(marks: readonly Mark[]): Promise<readonly number[]> {
    const shown = await this.page.evaluate(
      () => (globalThis as unknown as { readonly watching: Watching }).watching.shown,
    )
    const atByText = new Map(shown)
    return marks.flatMap(({ quantity, at }) => {
      const shownAt = atByText.get(quantity)
      return shownAt === undefined ? [] : [shownAt - at]
    })
  }

  /** The digits of the best levels of each side, and prices and quantities of the newest trades. */
  best(): Promise<readonly (readonly string[])[]> {
    return this.page.evaluate(() => {
      const rows = (id: string) => [...document.querySelectorAll(`#${id} tr`)]
      const texts = (all: readonly Element[]) =>
        all.map((row) => (row.textContent ?? '').replace(/[^\d.]/g, ''))
      const trades = rows('tape').slice(0, 10)
      return [
        texts(rows('asks').slice(-5)),
        texts(rows('bids').slice(0, 5)),
        texts(trades.flatMap((row) => [...row.children].slice(1))),
      ]
    })
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }
}
