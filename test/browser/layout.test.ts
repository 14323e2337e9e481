/**
 * Changes of the layout by pointer, by keyboard and in its sheet; what stays visible on each screen; and
 * where notices appear.
 */
import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { CDPSession, Page } from 'playwright-core'
import { untilStrictSignatures } from '../support/strict-signatures.ts'
import { axeFindings } from './support/axe.ts'
import { expectSoon } from './support/expect-soon.ts'
import { pageFixture } from './support/fixture.ts'
import { chooseSetting, live, showView } from './support/shown.ts'
import { askSeldom, fill, notices, outOfSight, SCREENS, send, takeAlice } from './support/trading.ts'

setDefaultTimeout(300_000)

const LAPTOP = { width: 1366, height: 657 }
/** A width at which the controls of the chart no longer fit into one row. */
const NARROW = { width: 1280, height: 800 }
const fixture = pageFixture()

beforeAll(async () => {
  await untilStrictSignatures(fixture.baseUrl, fixture.alice)
  // A best price to compare orders with: without one the page asks for confirmation of each.
  await fixture.place(fixture.bob, 'BTC/USDT', 'SELL', '1', '1002')
})

const sheet = (page: Page) => page.getByRole('dialog', { name: /^(?:Layout|Yerleşim)$/ })
const separator = (page: Page, name: string) => page.getByRole('separator', { name })

async function openSheet(page: Page): Promise<void> {
  if (await sheet(page).isVisible()) return
  const button = page.locator('#layout-button')
  if (!(await button.isVisible())) await page.locator('#menu-button').click()
  await button.click()
  await sheet(page).locator('button').first().waitFor()
}

async function closeSheets(page: Page): Promise<void> {
  while ((await page.locator(':popover-open').count()) > 0) await page.keyboard.press('Escape')
}

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

async function boxOf(page: Page, selector: string): Promise<Box> {
  const box = await page.locator(selector).boundingBox()
  if (box === null) throw new Error(`'${selector}' is not shown`)
  return box
}

/** How far the panel's right and lower edges moved, in pixels. */
async function growthOf(
  page: Page,
  selector: string,
  act: () => Promise<void>,
): Promise<readonly [number, number]> {
  const before = await boxOf(page, selector)
  await act()
  const after = await boxOf(page, selector)
  // Adding zero turns a minus zero into zero.
  return [Math.round(after.width - before.width) + 0, Math.round(after.height - before.height) + 0]
}

async function drag(page: Page, name: string, dx: number, dy: number): Promise<void> {
  const { x, y, width, height } = (await separator(page, name).boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  }
  const [fromX, fromY] = [x + width / 2, y + height / 2]
  await page.mouse.move(fromX, fromY)
  await page.mouse.down()
  await page.mouse.move(fromX + dx, fromY + dy, { steps: 4 })
}

/** Panels of the page's grid, and controls in their heads, that overlap, or extend beyond the window. */
function overlaps(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const inHeads = '.panel-head :is(button, select), .panel-buttons button'
    const found = ['main > .panel, .trade > .panel', inHeads].flatMap((selector) => {
      const boxes = [...document.querySelectorAll(selector)]
        .filter((each) => each.getClientRects().length > 0 && each.closest(':popover-open') === null)
        .map((each) => ({
          name: each.id || each.textContent || each.className,
          box: each.getBoundingClientRect(),
        }))
      return boxes.flatMap((one, index) =>
        boxes.slice(index + 1).flatMap((other) => {
          const [a, b] = [one.box, other.box]
          const isApart =
            a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1
          return isApart ? [] : [`${one.name} and ${other.name}`]
        }),
      )
    })
    const beyond = document.documentElement.scrollWidth - innerWidth
    return beyond > 0 ? [...found, `page: ${beyond} points too wide`] : found
  })
}

/** Waits until the changes are drawn: a new size reaches the page's code with a frame. */
function drawn(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  )
}

/** Controls that act on money and are covered by a notice. */
function coveredByNotice(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const actsOnMoney = ['.trade-entry', '.trade-lists', '#book', '#chart-body']
    const notice = document.querySelector('.trade-notices li')?.getBoundingClientRect()
    if (notice === undefined) return ['there is no notice']
    return actsOnMoney.filter((selector) => {
      const { left, right, top, bottom, width } =
        document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
      return (
        width > 0 && notice.left < right && left < notice.right && notice.top < bottom && top < notice.bottom
      )
    })
  })
}

test('panels are resized by pointer and keyboard, hidden and maximized, the browser stores it, and the order form stays in view beside them', async () => {
  const { page } = await fixture.open('BTC/USDT', LAPTOP)
  await takeAlice(page)
  const height = separator(page, 'Chart height')
  await height.focus()
  const [, taller] = await growthOf(page, '#chart', () => page.keyboard.press('ArrowDown'))
  expect(Math.abs((taller ?? 0) - 13)).toBeLessThan(3)
  await expectSoon(() => height.getAttribute('aria-valuenow'), '67')
  // Each column has heights of its own.
  expect(await growthOf(page, '#book', () => page.keyboard.press('Shift+ArrowUp'))).toEqual([0, 0])
  await page.keyboard.press('Home')
  await expectSoon(() => height.getAttribute('aria-valuenow'), await height.getAttribute('aria-valuemin'))
  await page.keyboard.press('Enter')
  await expectSoon(() => height.getAttribute('aria-valuenow'), '65')
  const [wider] = await growthOf(page, '.trade-entry', async () => {
    await drag(page, 'Order form width', -48, 0)
    await page.mouse.up()
  })
  expect(wider).toBe(48)
  expect(
    await growthOf(page, '#book', async () => {
      await drag(page, 'Order book width', -60, 0)
      expect((await boxOf(page, '#book')).width).toBeGreaterThan(340)
      await page.keyboard.press('Escape')
      await page.mouse.up()
    }),
  ).toEqual([0, 0])

  const [, grown] = await growthOf(page, '#book', () =>
    page.getByRole('button', { name: 'Hide: Recent trades' }).click(),
  )
  expect(grown).toBeGreaterThan(150)
  await expectSoon(() => page.evaluate(() => document.activeElement?.id), 'layout-button')
  await page.getByRole('button', { name: 'Maximize: Account' }).click()
  expect((await boxOf(page, '.trade-lists')).height).toBeGreaterThan(560)
  expect([await page.locator('#chart').isVisible(), await page.locator('#book').isVisible()]).toEqual([
    false,
    false,
  ])
  expect(await outOfSight(page, ['[data-field="price"]', '.trade-send'])).toEqual([])
  expect([await overlaps(page), await axeFindings(page)]).toEqual([[], []])
  await page.keyboard.press('Escape')
  await page.locator('#chart').waitFor()

  // If the trades are hidden, notices appear in the bar, one at a time.
  await askSeldom(page)
  for (const price of ['1000', '1001']) {
    await fill(page, price, '0.01')
    await send(page).click()
    await notices(page)
      .getByText(new RegExp(`^Placed: buy 0\\.01 BTC at ${price.replace('1', '1\\s?')}`))
      .waitFor()
  }
  await expectSoon(
    async () => [await notices(page).locator('li').count(), await coveredByNotice(page)],
    [1, []],
  )

  // The panels that are hidden in the first frame of the reloaded page.
  await page.addInitScript(() => {
    const look = () => {
      const { documentElement: root, body } = document
      if (body === null || root.hasAttribute('data-starting')) requestAnimationFrame(look)
      else Object.assign(window, { firstHidden: body.dataset.off })
    }
    look()
  })
  await page.reload()
  await live(page)
  await separator(page, 'Order form width').waitFor()
  expect(await page.evaluate(() => (window as { firstHidden?: string }).firstHidden)).toBe('tape')
  await expectSoon(() => separator(page, 'Order form width').getAttribute('aria-valuenow'), '22.75')
  expect(await page.locator('#tape-panel').isVisible()).toBe(false)
  await openSheet(page)
  await sheet(page).getByRole('button', { name: 'Reset layout' }).click()
  await page.locator('#tape-panel').waitFor()
  expect(await page.locator('main').getAttribute('style')).toBe('')
})

test('each preset covers nothing and leaves the order form’s button in view, on every screen, in both languages, with letters twice as large; a phone has every panel', async () => {
  const { page } = await fixture.open('BTC/USDT', LAPTOP)
  await takeAlice(page)
  const session = await page.context().newCDPSession(page)
  for (const language of ['en', 'tr'] as const) {
    await page.setViewportSize(LAPTOP)
    await chooseSetting(page, 'language', language)
    for (const preset of [1, 2, 0]) {
      await page.setViewportSize(LAPTOP)
      await openSheet(page)
      await sheet(page).locator('.layout-presets button').nth(preset).click()
      if (language === 'tr' && preset > 0) expect(await axeFindings(page)).toEqual([])
      await closeSheets(page)
      for (const screen of [...SCREENS, NARROW]) {
        await page.setViewportSize(screen)
        await drawn(page)
        await page
          .locator('#views button')
          .nth(3)
          .evaluate((button) => (button as HTMLButtonElement).click())
        await page.evaluate(() => scrollTo(0, 0))
        await drawn(page)
        const seen = {
          language,
          preset,
          screen,
          hidden: await outOfSight(page, ['.trade-send']),
          over: await overlaps(page),
        }
        expect(seen).toEqual({ ...seen, hidden: [], over: [] })
      }
    }
  }
  await page.setViewportSize(LAPTOP)
  await openSheet(page)
  await sheet(page).locator('.layout-presets button').nth(1).click()
  for (const media of [
    { colorScheme: 'light' },
    { colorScheme: 'dark' },
    { forcedColors: 'active' },
  ] as const) {
    await page.emulateMedia(media)
    expect([media, await axeFindings(page)]).toEqual([media, []])
  }
  await closeSheets(page)
  for (const standard of [32, 16]) {
    await session.send('Page.setFontSizes', { fontSizes: { standard, fixed: 13 } })
    expect([standard, await overlaps(page)]).toEqual([standard, []])
  }
  // A panel that is hidden on other screens is a normal view here.
  await page.setViewportSize({ width: 390, height: 660 })
  await chooseSetting(page, 'language', 'en')
  await showView(page, 'Book')
  await page.locator('#book').waitFor()
  expect(await page.locator('#layout-button').isVisible()).toBe(false)
})

/** Drags with a finger from the middle of a separator, slightly beside its line. */
async function dragByFinger(
  page: Page,
  session: CDPSession,
  name: string,
  dx: number,
  dy: number,
): Promise<void> {
  const { x, y, width, height } = await boxOf(page, `.panel-separator[aria-label="${name}"]`)
  const isRow = width > height
  const [fromX, fromY] = [x + width / 2 + (isRow ? 0 : 9), y + height / 2 + (isRow ? 9 : 0)]
  const touch = (
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    points: readonly { x: number; y: number }[],
  ) => session.send('Input.dispatchTouchEvent', { type, touchPoints: [...points] })
  await touch('touchStart', [{ x: fromX, y: fromY }])
  for (const part of [0.5, 1]) await touch('touchMove', [{ x: fromX + dx * part, y: fromY + dy * part }])
  await touch('touchEnd', [])
}

test('on tablets a finger resizes chart, book and order form, and nothing is covered', async () => {
  const { page } = await fixture.open('BTC/USDT', { width: 1024, height: 700 })
  await takeAlice(page)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  const byFinger = async (panel: string, name: string, dx: number, dy: number) => {
    await separator(page, name).waitFor()
    const grown = await growthOf(page, panel, () => dragByFinger(page, session, name, dx, dy))
    return [name, ...grown] as const
  }
  expect(await page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true)
  const [, , taller] = await byFinger('#chart', 'Chart height', 0, 60)
  expect(taller ?? 0).toBeGreaterThan(40)
  const [, wider] = await byFinger('.trade-entry', 'Order form width', -48, 0)
  expect(wider ?? 0).toBeGreaterThan(40)
  expect([await outOfSight(page, ['.trade-send']), await overlaps(page)]).toEqual([[], []])

  await page.setViewportSize({ width: 820, height: 1180 })
  const [, , higher] = await byFinger('#chart', 'Chart height', 0, -48)
  expect(higher ?? 0).toBeLessThan(-30)
  const [, , longer] = await byFinger('#book', 'Order book height', 0, 48)
  expect(longer ?? 0).toBeGreaterThan(30)
  const [, narrower] = await byFinger('.trade-entry', 'Order form width', 32, 0)
  expect(narrower ?? 0).toBeLessThan(-20)
  expect([await overlaps(page), await axeFindings(page)]).toEqual([[], []])
})

/** The browser's window may leave the full screen shortly after the page does. */
async function resize(page: Page, screen: { width: number; height: number }): Promise<void> {
  for (;;) {
    try {
      return await page.setViewportSize(screen)
    } catch (cause) {
      if (!/fullscreen window/.test(String(cause))) throw cause
      await Bun.sleep(50)
    }
  }
}

test('over a chart on the full screen the newest notice is completely visible, below the chart and its orders, on every screen', async () => {
  const { page } = await fixture.open('BTC/USDT', LAPTOP)
  await takeAlice(page)
  for (const [index, screen] of [
    LAPTOP,
    { width: 1024, height: 700 },
    { width: 390, height: 660 },
  ].entries()) {
    await resize(page, screen)
    await showView(page, 'Chart')
    await page.getByRole('button', { name: 'Full screen' }).click()
    // A price between the best ones.
    const price = `1001.${index + 1}`
    await fixture.place(fixture.alice, 'BTC/USDT', 'BUY', '0.01', price)
    await fixture.place(fixture.bob, 'BTC/USDT', 'SELL', '0.01', price)
    await notices(page)
      .locator('li:first-child', { hasText: new RegExp(`1\\s?001\\.${index + 1}`) })
      .waitFor()
    const seen = await page.evaluate(() => {
      const boxOf = (selector: string) =>
        document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
      const { left, right, top, bottom } = boxOf('.trade-notices li')
      const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      const isOver = ['#chart-body', '.chart-orders', '.chart-foot'].filter((selector) => {
        const box = boxOf(selector)
        return box.width > 0 && top < box.bottom && box.top < bottom && left < box.right && box.left < right
      })
      const isWhole = top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth
      return { isOver, isWhole, isOnTop: at?.closest('.trade-notices') != null }
    })
    expect([screen, seen]).toEqual([screen, { isOver: [], isWhole: true, isOnTop: true }])
    await page.keyboard.press('Escape')
    await page.locator('body:not([data-full])').waitFor()
  }
})
