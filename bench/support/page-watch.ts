/** Measurements of a page in a real browser: its trace, its memory, and its delays. */
import type { Browser, CDPSession, Page, ViewportSize } from 'playwright-core'
import { openPage } from '../../test/browser/support/browser.ts'
import type { Mark } from './page-load.ts'
import { CATEGORIES, type MainThread, mainThreadOf, type TraceEvent } from './page-trace.ts'

type Watching = { readonly shown: [text: string, at: number][]; stop: boolean }

export type PageMemory = {
  readonly heapBytes: number
  /** Number of nodes in documents, whether displayed or not. */
  readonly nodes: number
  readonly listeners: number
}

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

  /** Slows the page's CPU down by this factor. */
  async slowDown(rate: number): Promise<void> {
    await this.#session.send('Emulation.setCPUThrottlingRate', { rate })
  }

  /** Used bytes of the heap after garbage collection. */
  async heapBytes(): Promise<number> {
    return (await this.memory()).heapBytes
  }

  /** The memory in use after garbage collection. */
  async memory(): Promise<PageMemory> {
    await this.#session.send('HeapProfiler.collectGarbage')
    await this.#session.send('Performance.enable')
    const { metrics } = await this.#session.send('Performance.getMetrics')
    const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
    return { heapBytes: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') }
  }

  /** Returns the work of the main thread while `during` runs. */
  async trace(during: () => Promise<void>): Promise<MainThread> {
    await this.#browser.startTracing(this.page, { categories: CATEGORIES })
    await during()
    const trace = await this.#browser.stopTracing()
    const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] }
    return mainThreadOf(traceEvents)
  }

  /**
   * Starts a callback at every frame that reads the quantity of the best bid, so that the browser draws as
   * often as it can.
   */
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

  /** Milliseconds from each mark to the frame in which the page displayed it. */
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
