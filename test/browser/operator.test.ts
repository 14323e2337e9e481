/**
 * The operator's page in a real browser with a real node: a quarter of an hour of two operators, and which
 * data strangers can reach.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeFindings } from './support/axe.ts'
import { expectSoon } from './support/expect-soon.ts'
import { operatorFixture } from './support/operator-fixture.ts'
import { carryOut, row, show } from './support/operator-page.ts'

setDefaultTimeout(300_000)

const WIDTHS = [390, 1_024, 1_440]
const VIEWS = [
  ['Overview', 'Asset totals'],
  ['Markets', 'The whole exchange'],
  ['Accounts', 'Accounts'],
  ['Money', 'Pending approvals'],
  ['Audit trail', 'Newest'],
  ['Bans', 'Banned addresses'],
  ['Operators', 'Tokens'],
  ['All commands', 'Node, assets, symbols'],
] as const

const fixture = operatorFixture()

/** How far the document extends beyond the window's right edge. */
const beyond = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

describe('the operator’s page', () => {
  test('is opened only with a named token, and stores it nowhere', async () => {
    const token = await fixture.newToken('first', 'READ_ONLY')
    const { page, takeComplaints } = await fixture.open()
    for (const [typed, said] of [
      ['bourse_wrong', 'INVALID_TOKEN'],
      [fixture.admin.token, 'NAMED_TOKEN_NEEDED'],
    ] as const) {
      await page.getByLabel('Your named token').fill(typed)
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByRole('alert').getByText(said).waitFor()
      expect(await page.getByLabel('Your named token').inputValue()).toBe('')
    }
    // The browser logs each refusing answer.
    expect(takeComplaints().filter((text) => !/status of 40[13]|\/session 40[13]/.test(text))).toEqual([])
    await page.getByLabel('Your named token').fill(token)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    // For keyboard users the focus moves to the start of the view.
    await page.locator('main:focus').waitFor()
    const [cookie, ...others] = await page.context().cookies()
    expect(cookie).toMatchObject({
      name: `__Host-bourse-operator-${new URL(fixture.admin.url).port}`,
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
      path: '/',
    })
    expect(others).toEqual([])
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    expect(kept).toBe('[{},{}]')
    expect(await page.evaluate(() => document.cookie)).toBe('')
    expect(page.url()).not.toContain(token)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.locator('.state.good', { hasText: 'ready' }).waitFor()
  })

  test('halts and resumes a market with a note, by the keyboard alone, and shows the same command for a terminal', async () => {
    const halter = await fixture.newToken('halter', 'OPERATOR')
    const { page } = await fixture.openAs(halter)
    await show(page, 'Markets', 'Symbols')
    const btc = row(page, 'BTC/USDT')
    await btc.getByRole('button', { name: 'Halt BTC/USDT' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Halt trading' })
    await dialog.getByText('BTC/USDT is TRADING now.').waitFor()
    // The state before and after.
    await dialog.getByRole('row', { name: 'State TRADING HALTED' }).waitFor()
    await dialog.getByLabel(/^Note/).focus()
    await page.keyboard.type('prices are wrong')
    await expectSoon(
      () => dialog.locator('.line code').innerText(),
      "bourse admin symbol halt BTC/USDT --note 'prices are wrong'",
    )
    await page.keyboard.press('Enter')
    await dialog.getByRole('status').filter({ hasText: 'HALTED' }).waitFor()
    // The button gets the focus shortly after the outcome is shown.
    await dialog.locator('button.primary:focus').waitFor()
    await page.keyboard.press('Enter')
    await btc.getByText('HALTED').waitFor()
    const [halt] = (await fixture.done('audit/list', { actor: 'halter' })) as { readonly note: string }[]
    expect(halt?.note).toBe('prices are wrong')

    await btc.getByRole('button', { name: 'Resume BTC/USDT' }).click()
    await carryOut(page, 'symbol resume', { Note: 'checked', 'Your token again': halter })
    await btc.getByText('TRADING').waitFor()
    await btc.getByRole('button', { name: 'Halt BTC/USDT' }).click()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await fixture.done('audit/list', { actor: 'halter' })).toHaveLength(2)
  })

  test('has a large transfer requested by one operator and approved by another, each with the token again', async () => {
    const [anna, bela] = [
      await fixture.newToken('anna', 'OPERATOR'),
      await fixture.newToken('bela', 'OPERATOR'),
    ]
    await fixture.done('asset/set', { code: 'USDT', approvalAbove: '1000' })
    const first = await fixture.openAs(anna)
    await show(first.page, 'Money', 'Pending approvals')
    await first.page.getByText('Nothing is waiting for approval.').waitFor()
    await first.page.getByRole('button', { name: 'Credit', exact: true }).click()
    const credit = { account: 'alice', asset: 'USDT', amount: '5000', reference: 'bank-1', Note: 'a deposit' }
    const asked = await carryOut(first.page, 'credit', { ...credit, 'Your token again': anna })
    expect(asked).toContain('another person must approve it')
    await row(first.page, 'bank-1').waitFor()

    const second = await fixture.openAs(bela)
    await show(second.page, 'Money', 'Pending approvals')
    await row(second.page, 'bank-1').getByRole('button', { name: 'Approve bank-1' }).click()
    const dialog = second.page.getByRole('dialog', { name: 'Approve' })
    await dialog.getByText('5,000 USDT, account alice, requested by anna').waitFor()
    const answer = await carryOut(second.page, 'approval approve', { Note: 'seen', 'Your token again': bela })
    expect(answer).toBe('Done.')
    await second.page.getByText('Nothing is waiting for approval.').waitFor()
    await show(second.page, 'Audit trail', 'Newest')
    await second.page.getByLabel('Who').fill('bela')
    await second.page.getByRole('button', { name: 'Search' }).click()
    await row(second.page, 'Approve').getByText('seen').waitFor()
  })

  test('refuses an approval when another request has taken the place of the displayed one', async () => {
    const [asker, reader] = [
      await fixture.newToken('asker', 'OPERATOR'),
      await fixture.newToken('reads', 'OPERATOR'),
    ]
    await fixture.done('asset/set', { code: 'USDT', approvalAbove: '1000' })
    const credit = { account: 'alice', asset: 'USDT', reference: 'swap-1' }
    await fixture.done('money/credit', { ...credit, amount: '2000' }, asker)
    const { page, takeComplaints } = await fixture.openAs(reader)
    await show(page, 'Money', 'Pending approvals')
    await row(page, 'swap-1').getByRole('button', { name: 'Approve swap-1' }).click()
    await fixture.done('approval/reject', { reference: 'swap-1' })
    await fixture.done('money/credit', { ...credit, amount: '999999' }, asker)
    const dialog = page.getByRole('dialog', { name: 'Approve' })
    await dialog.getByLabel('Note').fill('seen')
    await dialog.getByLabel('Your token again').fill(reader)
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
    await dialog.getByRole('alert').getByText('it is now CREDIT of 999999 USDT').waitFor()
    expect(takeComplaints().filter((text) => !/409/.test(text))).toEqual([])
    expect(await fixture.done('transfer/show', { reference: 'swap-1' })).toMatchObject({
      state: 'WAITS_FOR_APPROVAL',
    })
  })

  test('shows actions that a role may not perform as disabled, with the missing right', async () => {
    const { page } = await fixture.openAs(await fixture.newToken('looker', 'READ_ONLY'))
    await show(page, 'Markets', 'Symbols')
    const halt = row(page, 'USDT/TRY').getByRole('button', { name: 'Halt USDT/TRY' })
    await expectSoon(() => halt.getAttribute('aria-disabled'), 'true')
    expect(await halt.getAttribute('title')).toContain('needs the right markets')
    await halt.click({ force: true })
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('closes at once when the token is revoked, and says so', async () => {
    const { page, takeComplaints } = await fixture.openAs(await fixture.newToken('leaver', 'OPERATOR'))
    await fixture.done('token/revoke', { name: 'leaver' })
    // A refresh by the page itself may have detected it before: then there is nothing to press.
    await page.evaluate(() => {
      location.hash = 'bans'
    })
    await page.getByText('the session has ended').waitFor()
    await page.getByLabel('Your named token').waitFor()
    expect(await page.getByRole('table').count()).toBe(0)
    expect(takeComplaints().filter((text) => !/401/.test(text))).toEqual([])
  })

  test('keeps typed text when its session has ended, for the same person alone, and shows nothing meanwhile', async () => {
    const token = await fixture.newToken('typist', 'OPERATOR')
    const { page, takeComplaints } = await fixture.openAs(token)
    await show(page, 'Money', 'Pending approvals')
    await page.getByRole('button', { name: 'Credit', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Credit' })
    const typed = { account: 'alice', asset: 'BTC', amount: '1.5', reference: 'kept-1', Note: 'a deposit' }
    for (const [label, value] of Object.entries(typed)) await dialog.getByLabel(label).fill(value)
    await dialog.getByLabel('Your token again').fill(token)
    await dialog.getByRole('row', { name: /^Free / }).waitFor()
    await page.context().clearCookies()
    await dialog.getByRole('button', { name: 'Credit', exact: true }).click()
    const again = page.getByRole('dialog', { name: 'Log in again' })
    await again.getByText('What typist typed is kept').waitFor()
    expect(await page.getByText('Pending withdrawals').isVisible()).toBe(false)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.type(token)
    await page.keyboard.press('Enter')
    await again.waitFor({ state: 'detached' })
    await expectSoon(() => dialog.getByLabel('amount').inputValue(), '1.5')
    expect(await dialog.getByLabel('Your token again').inputValue()).toBe('')
    await expectSoon(() => page.evaluate(() => document.activeElement?.closest('dialog') !== null), true)
    await dialog.getByLabel('Your token again').fill(token)
    await dialog.getByRole('button', { name: 'Credit', exact: true }).click()
    await dialog.getByRole('status').filter({ hasText: 'Done.' }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()

    await page.getByRole('textbox', { name: 'Reference' }).fill('of the typist')
    await page.context().clearCookies()
    // The search may be the first refused request; the links are hidden from then on.
    await page.evaluate(() => {
      location.hash = 'bans'
    })
    await again.getByLabel('Your named token').fill(await fixture.newToken('another', 'OPERATOR'))
    await page.keyboard.press('Enter')
    await page.getByRole('banner').getByText('another').waitFor()
    await show(page, 'Money', 'Pending approvals')
    expect(await page.getByRole('textbox', { name: 'Reference' }).inputValue()).toBe('')
    expect(takeComplaints().filter((text) => !/401/.test(text))).toEqual([])
  })

  test('says that its session is about to end before it does, and continues when the operator responds', async () => {
    const { page } = await fixture.openAs(await fixture.newToken('idler', 'READ_ONLY'))
    let left = 90_000
    // The node's clock cannot be moved: the remaining time in its answer is changed on the way.
    await page.route('**/session', async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { readonly result: object }
      const result = { ...body.result, unusedEndsInMs: left }
      if (route.request().method() === 'PUT') left = 900_000
      await route.fulfill({ response, json: { ...body, result: { ...result, unusedEndsInMs: left } } })
    })
    // The requests when the page opens count as use: they are answered first.
    await page.waitForLoadState('networkidle')
    await page.clock.install()
    await page.clock.fastForward('14:00')
    const alert = page.getByRole('alert').filter({ hasText: 'You have not used this page' })
    await alert.waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Stay logged in' }).click()
    await alert.waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'Stay logged in' }).count()).toBe(0)
  })

  test('is useless to a page of another port that the operator visits while the session is open', async () => {
    const { page } = await fixture.openAs(await fixture.newToken('visitor', 'OPERATOR'))
    const arrived: string[] = []
    const hostile = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => {
        arrived.push(request.headers.get('cookie') ?? '')
        return new Response('<!doctype html><title>hostile</title>', {
          headers: { 'content-type': 'text/html' },
        })
      },
    })
    try {
      const other = await page.context().newPage()
      await other.goto(`http://127.0.0.1:${hostile.port}/`)
      const tried = await other.evaluate(async (admin) => {
        const body = JSON.stringify({ symbol: 'ETH/USDT' })
        const read = async (init: RequestInit, path = '/admin/v1/symbol/halt') => {
          try {
            const response = await fetch(admin + path, { credentials: 'include', ...init })
            return `${response.type} ${response.status}`
          } catch {
            return 'refused'
          }
        }
        return [
          await read({ method: 'POST', body, mode: 'no-cors' }),
          await read({ method: 'POST', body, headers: { 'content-type': 'application/json' } }),
          await read({}, '/session'),
          await read({ mode: 'no-cors' }, '/session'),
        ]
      }, fixture.admin.url)
      // Either the request is not sent; or it is sent, and the browser withholds the answer from the page,
      // even one without content.
      expect(tried).toEqual(['refused', 'refused', 'refused', 'refused'])
      // Cookies do not depend on the port: the protection is the origin and the session's token.
      expect(arrived[0]).toContain('__Host-bourse-operator-')
      await other.close()
    } finally {
      await hostile.stop(true)
    }
    const symbols = (await fixture.done('symbol/list')) as {
      readonly symbol: string
      readonly state: string
    }[]
    expect(symbols.find(({ symbol }) => symbol === 'ETH/USDT')?.state).toBe('TRADING')
  })

  test.each(['light', 'dark'] as const)(
    'has no finding of axe in any view, and no horizontal scroll at any width, when it is %s',
    async (colorScheme) => {
      // A theme changes only colors.
      const [rules, widths] = colorScheme === 'light' ? [undefined, WIDTHS] : [['color-contrast'], []]
      const { page } = await fixture.open()
      await page.emulateMedia({ colorScheme })
      expect(await axeFindings(page, rules)).toEqual([])
      await page.getByLabel('Your named token').fill(await fixture.newToken(`axe-${colorScheme}`, 'OPERATOR'))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      for (const [view, panel] of VIEWS) {
        await show(page, view, panel)
        expect([view, await axeFindings(page, rules)]).toEqual([view, []])
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 })
          expect([view, width, await beyond(page)]).toEqual([view, width, 0])
        }
      }
      await page.getByRole('link', { name: 'Accounts' }).click()
      await page.getByRole('link', { name: 'alice', exact: true }).click()
      await page.getByRole('region', { name: 'Account alice' }).waitFor()
      expect(await axeFindings(page, rules)).toEqual([])
      await page.getByRole('button', { name: 'Freeze alice', exact: true }).click()
      await page.getByRole('dialog').waitFor()
      expect(await axeFindings(page, rules)).toEqual([])
    },
  )

  test('has no horizontal scroll in any view on a phone whose text is twice as large', async () => {
    const token = await fixture.newToken('large', 'OPERATOR')
    const { page } = await fixture.openAs(token, { width: 390, height: 844 })
    const session = await page.context().newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
    expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('26px')
    for (const [view, panel] of VIEWS) {
      await show(page, view, panel)
      expect([view, await beyond(page)]).toEqual([view, 0])
    }
  })

  test('is checked by an axe that would find a picture without text and a text that is too faint', async () => {
    const { page } = await fixture.open()
    await page.evaluate(() => {
      document.body.append(document.createElement('img'))
      const help = document.querySelector<HTMLElement>('.help')
      if (help !== null) help.style.color = 'rgb(128 128 128 / 40%)'
    })
    const findings = (await axeFindings(page)).join('\n')
    expect(findings).toContain('image-alt')
    expect(findings).toContain('color-contrast')
  })
})
