import { expect, test } from 'bun:test'
import type { AdminAuditPage } from '../../../contract/admin/audit.ts'
import { AuditPages } from './audit-pages.ts'
import { ANYTHING } from './audit-search.ts'
import type { Answer } from './page-session.ts'

const END: Answer<AdminAuditPage> = { ok: true, result: { actions: [], next: null, lookedBackTo: null } }

function setUp() {
  const answers: (() => void)[] = []
  const pages = new AuditPages(() => new Promise((resolve) => answers.push(() => resolve(END))))
  return { pages, answer: () => answers.shift()?.() }
}

test('an older page is shown when it is found, and the one before it again on the way back', async () => {
  const { pages, answer } = setUp()
  for (const from of [90, 40]) {
    const going = pages.goOn(from)
    answer()
    await going
    expect(pages.before).toBe(from)
  }
  pages.back()
  expect(pages.before).toBe(90)
  pages.back()
  expect(pages.before).toBe(undefined)
})

test('an answer that arrives after another search, or after a second press, is not shown', async () => {
  const { pages, answer } = setUp()
  const older = pages.goOn(90)
  const newer = { ...ANYTHING, actor: 'anna' }
  pages.search(newer)
  answer()
  await older
  expect([pages.typed, pages.before]).toEqual([newer, undefined])
  const presses = [pages.goOn(80), pages.goOn(80)]
  answer()
  answer()
  await Promise.all(presses)
  pages.back()
  expect(pages.before).toBe(undefined)
})
