/**
 * The reference under `/docs`, as a person uses it: found from the trading page, searched by keyboard, its
 * programs by language, and the way back.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { axeFindings } from './support/axe.ts'
import { pageFixture } from './support/fixture.ts'

setDefaultTimeout(300_000)

const fixture = pageFixture()

test('the reference is reached from the guide, shows a program in the chosen language with this address, is searched by keyboard, and leads back', async () => {
  const { page } = await fixture.open('BTC/USDT')
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.getByRole('heading', { name: 'HTTP interface', level: 1 }).waitFor()

  const order = page.locator('#first-order')
  await order.getByText(`export BOURSE_URL=${new URL(page.url()).origin}`).waitFor()
  expect(await order.locator('.programs pre:visible').innerText()).toContain('curl -sS -X POST')
  await order.getByRole('radio', { name: 'Python' }).check({ force: true })
  for (const section of ['#authentication', '#first-order'])
    expect(await page.locator(`${section} .programs pre:visible`).innerText()).toContain('import hashlib')
  await page.reload()
  expect(await order.locator('.programs pre:visible').innerText()).toContain('import hashlib')
  expect(await axeFindings(page)).toEqual([])

  await page.locator('h1').click()
  await page.keyboard.press('/')
  await page.keyboard.type('mass cancel')
  await page
    .getByRole('status')
    .getByText(/^\d+ results?$/)
    .waitFor()
  expect(await page.locator('#contents').isVisible()).toBe(false)
  await page.keyboard.press('Enter')
  expect(new URL(page.url()).hash).not.toBe('')
  await page.keyboard.press('/')
  await page.keyboard.type('zebra')
  await page.getByText('0 results').waitFor()
  await page.keyboard.press('Escape')
  expect(await page.locator('#contents').isVisible()).toBe(true)

  await page.getByRole('link', { name: 'Stream', exact: true }).click()
  await page.getByRole('heading', { name: 'Stream', level: 1 }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('link', { name: 'Trading page' }).click()
  await page.getByRole('heading', { name: 'Trade with curl' }).waitFor()
})
