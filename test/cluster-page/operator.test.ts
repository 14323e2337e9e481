/**
 * The operator's page with a cluster: the leading engine serves it, the others report which engine leads, and
 * during a change of leaders no old data is shown as new.
 */
import { afterAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { readAdminAddress } from '../../src/cli/admin/client.ts'
import { axeFindings } from '../browser/support/axe.ts'
import { launchBrowser, openPage, type WatchedPage } from '../browser/support/browser.ts'
import { carryOut, row, show } from '../browser/support/operator-page.ts'
import { ClusterProcesses, type EngineName } from '../cluster/support/cluster-processes.ts'
import { list } from '../cluster/support/drill.ts'
import { eventually } from '../postgres/support/eventually.ts'
import { discardServers, PostgresServer } from '../postgres/support/server.ts'
import { freePort } from '../support/free-port.ts'

let cluster: ClusterProcesses | undefined
let browser: Browser | undefined
afterAll(async () => {
  await browser?.close()
  await cluster?.discard()
  await discardServers()
}, 300_000)

test('an operator sees who leads, is informed when that engine stalls and when another leads, and continues with the other', async () => {
  const server = await PostgresServer.start()
  // No client signs up in this test, so no mail is sent.
  const engines = await ClusterProcesses.create(server, { customers: { mailPort: freePort(), server } })
  cluster = engines
  const [opened] = await Promise.all([launchBrowser(), engines.start('one')])
  browser = opened
  await list(engines)
  const { token } = (await engines.admin('token/add', { name: 'anna', role: 'OPERATOR' })) as {
    token: string
  }
  await engines.start('two')
  const pageOf = (name: EngineName) => openPage(opened, `${readAdminAddress(engines.dataOf(name)).url}/`)
  const [one, two] = [await pageOf('one'), await pageOf('two')]
  await two.page
    .getByRole('alert')
    .getByText('This engine, two, does not lead: one does, in epoch 1.')
    .waitFor()
  await logIn(one, token)
  const members = one.page.getByRole('region', { name: 'Engines and historians: table' })
  await members.getByRole('row', { name: /^one engine leads/ }).waitFor()
  await members.getByRole('row', { name: /^two engine follows/ }).waitFor()
  await members.getByRole('row', { name: /^historian historian not connected/ }).waitFor()

  await watchProcesses(engines, one)

  const { child } = engines.process('one')
  child.kill('SIGSTOP')
  try {
    const silent = one.page
      .getByRole('alert')
      .getByText(/^The node does not answer\. The page shows the state at /)
    await silent.waitFor()
    await eventually('the other one leads', async () => engines.role('two') === 'LEADING')
  } finally {
    child.kill('SIGCONT')
  }
  const deposed = /^This engine, one, does not lead: two does, in epoch 2\. .*The page shows the state at/
  await one.page.getByRole('alert').getByText(deposed).waitFor()
  expect(await axeFindings(one.page)).toEqual([])

  await logIn(two, token)
  await show(two.page, 'Markets', 'Symbols')
  await row(two.page, 'BTC/USDT').getByRole('button', { name: 'Halt BTC/USDT' }).click()
  expect(await carryOut(two.page, 'symbol halt', { Note: 'the leader has changed' })).toContain('HALTED')
  await engines.end('one', 'SIGKILL')
  await show(two.page, 'Overview', 'Cluster')
  await two.page.getByText('No other engine is connected: one more failure stops the exchange.').waitFor()
  // The browser itself logs that an engine does not lead.
  const complaints = [one, two].flatMap(({ takeComplaints }) => takeComplaints())
  expect(complaints.filter((text) => !/503|ERR_|Failed to load/.test(text))).toEqual([])
}, 300_000)

/** Stops one of two customers processes, and freezes the database of both for a while. */
async function watchProcesses(engines: ClusterProcesses, { page }: WatchedPage): Promise<void> {
  const table = page.getByRole('region', { name: 'Customers processes: table' })
  const row = (name: RegExp) => table.getByRole('row', { name })
  await row(/^a does not answer – \d{4}-\d\d-\d\d \d\d:\d\d:\d\d –$/).waitFor()
  const trouble = page.getByRole('region', { name: 'Needs attention' })
  await trouble.getByText('No customers process is serving').waitFor()
  const before = new Date().toISOString().slice(0, 19).replace('T', ' ')
  await Promise.all([engines.start('a'), engines.start('b')])
  for (const name of ['a', 'b'])
    await row(
      new RegExp(`^${name} answers nothing \\d{4}-\\d\\d-\\d\\d [\\d:]{8} \\d+\\.\\d+\\.\\d+`),
    ).waitFor()
  const [, since = ''] = /nothing\s+(\S+ \S+)/.exec(await row(/^a answers/).innerText()) ?? []
  expect(since >= before).toBe(true)
  await engines.end('b', 'SIGTERM')
  await row(/^b does not answer/).waitFor()
  await trouble.getByText('Customers processes that are not serving: b.').waitFor()
  await page.setViewportSize({ width: 390, height: 660 })
  await row(/^b does not answer/).scrollIntoViewIfNeeded()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('combobox', { name: 'Language' }).selectOption('tr')
  const turkish = page.getByRole('region', { name: 'Müşteri süreçleri: tablo' })
  await turkish.getByRole('row', { name: /^b yanıt vermiyor/ }).waitFor()
  await turkish.getByRole('row', { name: /^a yanıt veriyor hiçbiri/ }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('combobox').first().selectOption('en')
  await page.setViewportSize({ width: 1280, height: 800 })
}

async function logIn({ page }: WatchedPage, token: string): Promise<void> {
  await page.getByLabel('Your named token').fill(token)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}
