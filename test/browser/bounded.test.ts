/** No call to a browser waits without a limit: a call that hangs is reported by name. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { bounded, CALL_MS_MAX, hungCalls, isBounded, PAGE_WAIT_MS_MAX } from './support/bounded.ts'
import { launchBrowser, openPage } from './support/browser.ts'
import { closePages } from './support/close-pages.ts'

setDefaultTimeout(300_000)

const SHORT_MS = 40

/**
 * A small model of a browser: its methods return objects that have methods too, and only some of them answer.
 */
class Tab2 {
  readonly keyboard = new Keys()
  _secret = new Promise(() => {})

  async title(): Promise<string> {
    return 'a page'
  }

  evaluate(_script: () => unknown): Promise<unknown> {
    return new Promise(() => {})
  }

  async map(): Promise<ReadonlyMap<string, string>> {
    return new Map([['a', 'b']])
  }
}

class Keys {
  press(_key: string): Promise<void> {
    return new Promise(() => {})
  }
}

class _Window {
  async open(): Promise<Tab2> {
    return new Tab2()
  }

  tabs(): readonly Tab2[] {
    return [new Tab2()]
  }
}

const messageOf = async (call: Promise<unknown>) => {
  const error: unknown = await call.catch((thrown: unknown) => thrown)
  if (!(error instanceof Error)) throw new Error(`expected a failed call, found ${error}`)
  return error.message
}

describe('a call to a browser', () => {
  test('that has no answer fails with its name, its arguments and the line that made it', async () => {
    const tab = await bounded(new _Window(), SHORT_MS).open()
    const call = tab.evaluate(() => 'some script')
    const error: unknown = await call.catch((thrown: unknown) => thrown)
    expect(`${error}`).toMatch(/^Error: no answer within 40 ms: Tab\.evaluate\(\(\) => .some script.\)$/)
    expect((error as Error).stack).toContain(import.meta.file)
    expect(await messageOf(tab.keyboard.press('Enter'))).toBe('no answer within 40 ms: Keys.press(Enter)')
    expect(hungCalls(0)).toEqual([])
  })

  test('that is answered is unchanged, whatever the answer', async () => {
    const [tab] = bounded(new _Window(), SHORT_MS).tabs()
    expect(await tab?.title()).toBe('a page')
    expect((await tab?.map())?.get('a')).toBe('b')
    expect(isBounded(Map.prototype.get)).toBe(false)
  })

  test('that is still open when its test ends is named before the errors of the browser', async () => {
    const tab = await bounded(new _Window(), SHORT_MS).open()
    const call = messageOf(tab.keyboard.press('F5'))
    expect(hungCalls(0)).toEqual(['Keys.press(F5) for 0 s'])
    const opened = { takeComplaints: () => ['console: 403'] } as unknown as Parameters<
      typeof closePages
    >[0][0]
    const said = await messageOf(closePages([opened], 0))
    expect(said).toContain('no answer: Keys.press(F5) for 0 s. Complaints of the browser: console: 403')
    await call
  })
})

describe('a real browser', () => {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  test('has a time limit for every call, and its own waits end before that limit', async () => {
    if (browser === undefined) throw new Error('the browser is not there yet')
    const { page } = await openPage(browser, 'data:text/html,<link rel="icon" href="data:,"><p>text')
    const context = page.context()
    const devtools = await context.newCDPSession(page)
    const row = page.locator('p')
    const calls = [
      ...[browser.newContext, browser.close, browser.startTracing, browser.stopTracing],
      ...[context.newPage, context.cookies, context.clearCookies, context.storageState, context.close],
      ...[page.evaluate, page.content, page.screenshot, page.setViewportSize, page.emulateMedia, page.route],
      ...[page.keyboard.press, page.mouse.down, page.mouse.move, page.clock.setFixedTime, page.close],
      ...[page.mainFrame().evaluate, row.count, row.allInnerTexts, row.evaluateAll, row.isVisible],
      ...[devtools.send, devtools.detach],
    ]
    expect(calls.filter((call) => !isBounded(call)).map(({ name }) => name)).toEqual([])
    expect(PAGE_WAIT_MS_MAX).toBeLessThan(CALL_MS_MAX)
    await context.close()
  })
})
