/**
 * An operator's daily work on the page, in a real browser with a real node: withdrawals, the rights of each
 * role, and that no part of a token is kept anywhere.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { ADMIN_COMMANDS } from '../../src/cli/admin/sections.ts'
import { createBourseClient } from '../../src/client/client.ts'
import type { AdminAnswer } from '../../src/contract/admin/admin.ts'
import type { AdminBalance, AdminRoleInfo } from '../../src/contract/admin/records.ts'
import { BourseProcess } from '../support/bourse-process.ts'
import { axeFindings } from './support/axe.ts'
import { expectSoon } from './support/expect-soon.ts'
import { operatorFixture } from './support/operator-fixture.ts'
import { carryOut, row, show, titleOf } from './support/operator-page.ts'

setDefaultTimeout(300_000)

const fixture = operatorFixture()

/** A trader with a key that may withdraw, and an address. */
async function trader(): Promise<ReturnType<typeof createBourseClient>> {
  const key = { account: 'bob', permissions: ['TRADE', 'WALLET', 'USER_DATA', 'WITHDRAW'] }
  const { apiKey, secret } = (await fixture.done('key/add', key)) as {
    readonly apiKey: string
    readonly secret: string
  }
  await fixture.done('address/add', { account: 'bob', asset: 'BTC', address: 'bc1-home', atOnce: true })
  const client = createBourseClient({ url: fixture.publicUrl, apiKey, secret })
  await client.openOrders()
  return client
}

async function btcOfBob(): Promise<object> {
  const balances = (await fixture.done('balance/list', { account: 'bob' })) as readonly AdminBalance[]
  const { free, freeze } = balances.find(({ asset }) => asset === 'BTC') ?? {}
  return { free, freeze }
}

describe('an operator on the page', () => {
  test('claims requested withdrawals, pays one with the token again, refuses one with a reason, and has a large one approved by a second person', async () => {
    const [payer, second] = [
      await fixture.newToken('payer', 'OPERATOR'),
      await fixture.newToken('second', 'OPERATOR'),
    ]
    const client = await trader()
    const ask = (amount: string) =>
      client.askWithdrawal({ coin: 'BTC', amount, address: 'bc1-home', withdrawOrderId: `of-${amount}` })
    const [small, wrong] = [await ask('1'), await ask('2')]
    const { page } = await fixture.openAs(payer)
    await show(page, 'Money', 'Pending withdrawals')
    const answer = (name: string, id: string) => page.getByRole('button', { name: `${name} ${id}` }).click()
    const again = { 'Your token again': payer }
    const waiting = () => page.getByRole('region', { name: 'Pending withdrawals: table' })

    await answer('Claim', small.id)
    await page.getByRole('dialog').getByText('1 BTC, account bob, to bc1-home.').waitFor()
    await carryOut(page, 'withdrawal claim', { Note: 'from wallet 3', ...again })
    await answer('Complete', small.id)
    expect(await carryOut(page, 'withdrawal complete', { Note: 'tx 5f', ...again })).toBe('Done.')
    await answer('Refuse', wrong.id)
    await carryOut(page, 'withdrawal refuse', { reason: 'not a valid address', Note: 'told him', ...again })
    await page.getByText('No withdrawal is pending.').waitFor()
    await row(page, 'COMPLETED').getByText('tx 5f').waitFor()
    await row(page, 'CANCELED').getByText('told him').waitFor()
    const { withdrawals } = await client.withdrawalHistory({ coin: 'BTC' })
    expect(withdrawals.map(({ id, status }) => [id, status]).toSorted()).toEqual(
      [
        [small.id, 'COMPLETED'],
        [wrong.id, 'CANCELED'],
      ].toSorted(),
    )
    await expectSoon(() => btcOfBob(), { free: '99', freeze: '0' })

    await fixture.done('asset/set', { code: 'BTC', approvalAbove: '5' })
    const large = await ask('6')
    await row(page, large.id).waitFor()
    await answer('Claim', large.id)
    const asked = await carryOut(page, 'withdrawal claim', { Note: 'from wallet 3', ...again })
    expect(asked).toContain('another person must approve it')
    await waiting().waitFor()
    await waiting().getByText('ClaimWithdrawal, requested by payer: waiting for approval').waitFor()
    expect(await waiting().getByRole('button').count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
    const other = await fixture.openAs(second)
    await show(other.page, 'Money', 'Pending approvals')
    await other.page.getByRole('button', { name: `Approve ${large.id}` }).click()
    await other.page.getByRole('dialog').getByText('6 BTC, account bob, requested by payer').waitFor()
    await carryOut(other.page, 'approval approve', { Note: 'seen', 'Your token again': second })
    await row(page, large.id)
      .getByText(/^payer, approved by /)
      .waitFor()
    await answer('Complete', large.id)
    await carryOut(page, 'withdrawal complete', { Note: 'tx 60', ...again })
    await other.page.getByText('No withdrawal is pending.').waitFor()
    await expectSoon(() => btcOfBob(), { free: '93', freeze: '0' })
  })

  test('is offered every command of the command line, with its texts, and those enabled that the server grants the role', async () => {
    const roles = (await fixture.done('role/list')) as readonly AdminRoleInfo[]
    expect(roles.length).toBeGreaterThan(3)
    await fixture.done('role/set', { name: 'night-watch', rights: ['read', 'phases'] })
    for (const role of [...roles.map(({ name }) => name), 'night-watch']) {
      const token = await fixture.newToken(`as-${role.toLowerCase()}`, role)
      const { page } = await fixture.openAs(token)
      await page.getByRole('navigation').getByRole('link', { name: 'All commands' }).click()
      await page.getByRole('heading', { level: 1, name: 'All commands' }).waitFor()
      const offered = await offeredOn(page)
      const wanted = await Promise.all(
        ADMIN_COMMANDS.map(async ({ name, operation, summary }) => {
          // A body that is not JSON is refused after the role is checked and before anything is done.
          const response = await fetch(`${fixture.admin.url}/admin/v1/${operation}`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: '{',
          })
          const body = (await response.json()) as AdminAnswer
          const reason = body.ok ? 'done' : body.error.reason
          expect([operation, reason]).toEqual([
            operation,
            expect.stringMatching(/^(INVALID_BODY|ROLE_NOT_ALLOWED|OWN_TOKEN_NEEDED)$/),
          ])
          return { name, title: titleOf(name), summary, isEnabled: reason === 'INVALID_BODY' }
        }),
      )
      const isElsewhere = (name: string) => /^approval (approve|reject)$/.test(name)
      const listed = wanted.filter(({ name }) => !isElsewhere(name)).map(({ name: _, ...shown }) => shown)
      expect([role, offered]).toEqual([role, listed])
      await fixture.closePages()
    }
  })

  test('searches the audit trail by account and text, and saves the results', async () => {
    const { page } = await fixture.openAs(await fixture.newToken('auditor', 'AUDITOR'))
    for (const note of ['a refund', 'something else'])
      await fixture.done('account/freeze', { account: 'alice', note })
    await fixture.done('account/unfreeze', { account: 'alice', note: 'no refund' })
    await show(page, 'Audit trail', 'Newest')
    await page.getByRole('textbox', { name: 'Account' }).fill('alice')
    await page.getByRole('textbox', { name: 'Any text' }).fill('REFUND')
    await page.keyboard.press('Enter')
    await page.getByText('something else').waitFor({ state: 'detached' })
    await row(page, 'no refund').waitFor()
    await expectSoon(() => page.getByRole('row').count(), 3)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ])
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    expect(lines.map((line) => line.split(',').at(-1))).toEqual(['why', 'no refund', 'a refund'])
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByText('something else').waitFor()
    expect(await axeFindings(page)).toEqual([])
  })

  test('finds an account by a part of its data, and opens the one whose full name is given', async () => {
    await fixture.done('account/add', { name: 'alice-savings' })
    await fixture.done('account/note', { account: 'bob', remark: 'Malice suspected' })
    const { page } = await fixture.openAs(await fixture.newToken('finder', 'READ_ONLY'))
    await show(page, 'Accounts', 'Accounts')
    const search = page.getByLabel('Part of a name')
    await search.fill('ALICE')
    await page.keyboard.press('Enter')
    await page.getByText('Accounts found: 3.').waitFor()
    await row(page, 'Malice suspected').getByText('remark').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await row(page, 'alice-savings').getByRole('link').click()
    await page.getByRole('heading', { name: 'alice-savings' }).first().waitFor()
    await search.fill('alice-savings')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'alice-savings' }).first().waitFor()
    expect(new URL(page.url()).hash).toBe('#accounts/alice-savings')
    await page.getByRole('button', { name: 'Show all' }).click()
    await show(page, 'Accounts', 'Accounts')
    await row(page, 'bob').waitFor()
  })

  test('continues in accounts that are listed or found page by page, and back to the first one', async () => {
    for (let i = 10; i < 65; i++) await fixture.done('account/add', { name: `paged-${i}` })
    const { page } = await fixture.openAs(await fixture.newToken('pager', 'READ_ONLY'))
    await show(page, 'Accounts', 'Accounts')
    const names = () => page.getByRole('row').getByRole('link').allInnerTexts()
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await button('Next').waitFor()
    const first = await names()
    await expectSoon(
      async () => [first.length, await button('Previous').getAttribute('aria-disabled')],
      [50, 'true'],
    )
    // More customers than fit on a page: no account of the house, whose names have a colon, precedes one of
    // them.
    expect(first.filter((name) => name.includes(':') || name === 'fees' || name === 'outside')).toEqual([])
    await button('Next').click()
    await row(page, first[0] ?? '').waitFor({ state: 'detached' })
    const second = await names()
    expect(second.filter((name) => first.includes(name))).toEqual([])
    await button('Previous').click()
    await row(page, first[0] ?? '').waitFor()
    await expectSoon(() => names(), first)
    await page.getByLabel('Part of a name').fill('paged-')
    await page.keyboard.press('Enter')
    await page.getByText('Accounts found so far: 50.').waitFor()
    await button('Next').click()
    await page.getByText('Accounts found: 5.').waitFor()
    await button('Previous').click()
    await page.getByText('Accounts found so far: 50.').waitFor()
  })

  test('sees how old the newest backup is, how far it goes, and that it was verified', async () => {
    const { page } = await fixture.openAs(await fixture.newToken('backups', 'READ_ONLY'))
    const stored = page.getByRole('region', { name: 'Storage' })
    await stored.getByText('no backup yet').waitFor()
    const to = path.join(fixture.directory, 'a-backup')
    const backup = new BourseProcess(['backup', '--data', fixture.data, '--to', to])
    expect([await backup.exited(), backup.err]).toEqual([0, ''])
    await stored.getByText('read back and replayed').waitFor()
    await stored.getByText(to).waitFor()
    expect(await axeFindings(page)).toEqual([])
  })

  test('has all accounts added up again by a process beside the node, and sees each asset sum to zero', async () => {
    const { page } = await fixture.openAs(await fixture.newToken('prover', 'AUDITOR'))
    await page.getByRole('button', { name: 'Check all balances again' }).click()
    await page.getByText('checked: every asset sums to zero').waitFor()
    const sums = page.getByRole('region', { name: 'Checked sums: table' })
    for (const asset of ['BTC', 'ETH', 'USDT', 'TRY']) {
      const cells = await sums.getByRole('row').filter({ hasText: asset }).getByRole('cell').allInnerTexts()
      const [, , inside, outside, sum] = cells
      expect([asset, outside]).toEqual([asset, `-${inside}`])
      expect(sum).toMatch(/ 0\.0+$/)
    }
    expect(await axeFindings(page)).toEqual([])
  })

  test('reads the page in Turkish, has amounts and buttons first on a phone, chooses from existing accounts and assets, and sees the balance after a credit before it is sent', async () => {
    const asker = await fixture.newToken('phone-asker', 'OPERATOR')
    await fixture.done('asset/set', { code: 'USDT', approvalAbove: '1000' })
    const credit = { account: 'alice', asset: 'USDT', amount: '5000', reference: 'phone-1' }
    await fixture.done('money/credit', credit, asker)
    const { page } = await fixture.openAs(await fixture.newToken('phone', 'OPERATOR'), {
      width: 390,
      height: 844,
    })
    await show(page, 'Money', 'Pending approvals')
    const heads = () => page.locator('main table').first().locator('th').allInnerTexts()
    await expectSoon(async () => (await heads()).slice(0, 3), ['Amount', 'Asset', 'Action'])
    await page.getByLabel('Language').selectOption('tr')
    await page.getByRole('heading', { level: 1, name: 'Para' }).waitFor()
    await expectSoon(
      async () => [(await heads()).slice(0, 3), await page.locator('html').getAttribute('lang')],
      [['Miktar', 'Varlık', 'İşlem'], 'tr'],
    )
    expect(await axeFindings(page)).toEqual([])
    await page.reload()
    await page.getByRole('button', { name: 'Alacaklandır', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Alacaklandır' })
    await dialog.getByLabel('Hesap').fill('LIC')
    await dialog.locator('datalist option[value="alice"]').waitFor({ state: 'attached' })
    await dialog.locator('datalist option[value="ETH"]').waitFor({ state: 'attached' })
    await dialog.getByLabel('Hesap').fill('alice')
    await dialog.getByLabel('Varlık').fill('ETH')
    await dialog.getByLabel('Miktar').fill('0.5')
    const balances = (await fixture.done('balance/list', { account: 'alice' })) as readonly AdminBalance[]
    const { free = '' } = balances.find(({ asset }) => asset === 'ETH') ?? {}
    const grouped = (amount: number) => amount.toLocaleString('en-US')
    const row = `Kullanılabilir ${grouped(Number(free))} ${grouped(Number(free) + 0.5)}`
    await dialog.getByRole('row', { name: row }).waitFor()
    expect(await axeFindings(page)).toEqual([])
  })

  test('sees which key placed each order of an account, in both languages', async () => {
    type Key = { readonly apiKey: string; readonly secret: string; readonly number: number }
    const keys: Key[] = []
    for (const label of ['grid bot', '']) {
      keys.push((await fixture.done('key/add', { account: 'alice', label })) as Key)
    }
    const ids: string[] = []
    for (const { apiKey, secret } of keys) {
      const client = createBourseClient({ url: fixture.publicUrl, apiKey, secret })
      const limit = { side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '1000' } as const
      ids.push((await client.newOrder({ symbol: 'BTC/USDT', ...limit })).order.id)
    }
    const { page } = await fixture.openAs(await fixture.newToken('who', 'READ_ONLY'))
    await show(page, 'Accounts', 'Accounts')
    await page.getByRole('link', { name: 'alice', exact: true }).click()
    const tableOf = (name: string) => page.getByRole('region', { name: `${name}: table` })
    const shown = async (name: string, head: string, text: string) => {
      const found = tableOf(name).getByRole('row').filter({ hasText: text })
      await found.waitFor()
      const heads = await tableOf(name).locator('th').allInnerTexts()
      const cells = await found.getByRole('cell').allInnerTexts()
      return cells[heads.indexOf(head)]
    }
    const numbers = keys.map(({ number }) => `#${number}`)
    const all = async (names: readonly [string, string], heads: readonly [string, string]) => ({
      keys: await Promise.all(keys.map(({ apiKey }) => shown(names[0], heads[0], apiKey))),
      orders: await Promise.all(ids.map((id) => shown(names[1], heads[1], id))),
    })
    const expected = { keys: numbers, orders: ['grid bot', numbers[1]] }
    await expectSoon(() => all(['API keys', 'Orders'], ['Number', 'Placed by']), expected)
    await page.getByLabel('Language').selectOption('tr')
    await page.getByRole('columnheader', { name: 'Emri veren anahtar' }).waitFor()
    const turkish = await page
      .getByRole('region', { name: /Emirler/ })
      .last()
      .locator('th')
      .allInnerTexts()
    expect(turkish).toContain('Emri veren anahtar')
    await expectSoon(() => page.getByRole('columnheader', { name: 'Numara' }).count(), 1)
    expect(await axeFindings(page)).toEqual([])
  })

  test('sees a long list in pages, and finds a row in it by its text', async () => {
    for (let i = 1; i <= 120; i++) await fixture.done('ban/add', { address: `198.51.100.${i}`, minutes: 60 })
    const { page } = await fixture.openAs(await fixture.newToken('lists', 'READ_ONLY'))
    await show(page, 'Bans', 'Banned addresses')
    await page.getByText('1 to 50 of 120').waitFor()
    await expectSoon(() => page.getByRole('row').count(), 51)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Next' }).press('Enter')
    await page.getByText('101 to 120 of 120').waitFor()
    await page.getByLabel('Find in Banned addresses').fill('100.77')
    await page.getByText('1 to 1 of 1, found in 120').waitFor()
    await expectSoon(() => page.getByRole('row').count(), 2)
    expect(await axeFindings(page)).toEqual([])
  })

  test('presses a button that does not move before it is released, though an answer arrives meanwhile', async () => {
    const { page } = await fixture.openAs(await fixture.newToken('presser', 'OPERATOR'))
    await show(page, 'Money', 'Pending approvals')
    const answer = Promise.withResolvers<void>()
    await page.route('**/balance/list', async (route) => {
      await answer.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Debit', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const [asked, answered] = [
      page.waitForRequest('**/balance/list'),
      page.waitForResponse('**/balance/list'),
    ]
    for (const [label, value] of Object.entries({ account: 'alice', asset: 'ETH', amount: '1' }))
      await dialog.getByLabel(label).fill(value)
    await asked
    const cancel = dialog.getByRole('button', { name: 'Cancel' })
    const { x, y, width, height } = (await cancel.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down()
    answer.resolve()
    await (await answered).finished()
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await page.mouse.up()
    await dialog.waitFor({ state: 'detached' })
  })

  test('leaves no token and no secret word of the session in the browser, in an address, in the log or in the node’s files', async () => {
    const token = await fixture.newToken('careful', 'OPERATOR')
    const { page, takeComplaints } = await fixture.openAs(token)
    const urls: string[] = []
    page.on('request', (request) => urls.push(request.url()))
    const words: string[] = []
    page.on('request', (request) => words.push(request.headers()['x-csrf-token'] ?? ''))
    await show(page, 'Money', 'Pending approvals')
    await page.getByRole('button', { name: 'Credit', exact: true }).click()
    const credit = { account: 'alice', asset: 'ETH', amount: '1', reference: 'careful-1', Note: 'a deposit' }
    await carryOut(page, 'credit', { ...credit, 'Your token again': token })
    await page.getByRole('button', { name: 'Debit', exact: true }).click()
    const dialog = page.getByRole('dialog')
    for (const [label, value] of Object.entries({ ...credit, 'Your token again': 'bourse_mistyped' }))
      await dialog.getByLabel(label).fill(value)
    await dialog.getByRole('button', { name: 'Debit', exact: true }).click()
    await dialog.getByRole('alert').getByText('CONFIRMATION_WRONG').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const [cookie] = await page.context().cookies()
    const secrets = [
      token,
      'bourse_mistyped',
      cookie?.value ?? 'no cookie',
      words.find((word) => word !== ''),
    ]
    const browser = await page.evaluate(async () => [
      ...Object.values({ ...localStorage, ...sessionStorage }),
      ...(await indexedDB.databases()).map(({ name }) => name),
      ...(await caches.keys()),
      document.cookie,
      location.href,
      document.documentElement.outerHTML,
      JSON.stringify(history.state),
    ])
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByText('You have logged out.').waitFor()
    const files = readdirSync(fixture.directory, { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(fixture.directory, name))
      .filter((file) => statSync(file).isFile())
    expect(files.length).toBeGreaterThan(5)
    for (const secret of secrets) {
      expect(secret?.length).toBeGreaterThan(10)
      const holds = (text: string) => text.includes(secret ?? '')
      const places = { browser, urls, url: [page.url()], log: [fixture.written] }
      const holding = Object.entries(places).filter(([, texts]) => texts.some((text) => holds(text ?? '')))
      expect(holding.map(([place]) => place)).toEqual([])
      expect(files.filter((file) => readFileSync(file).includes(secret ?? ''))).toEqual([])
    }
    // The log is at its most verbose level.
    expect(fixture.written.includes('an operator logged out of the page')).toBe(true)
    expect(takeComplaints().filter((text) => !/403/.test(text))).toEqual([])
  })
})

/** The commands that the page offers, in its order. */
function offeredOn(page: Page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('dl.commands > div')].map((entry) => {
      const button = entry.querySelector('button')
      return {
        title: button?.firstChild?.textContent,
        summary: entry.querySelector('dd')?.textContent,
        isEnabled: button?.getAttribute('aria-disabled') !== 'true',
      }
    }),
  )
}
