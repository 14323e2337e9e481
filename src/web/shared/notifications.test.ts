import { expect, test } from 'bun:test'
import { keptStorage } from './browser-storage.fixture.ts'
import { NOTIFY_ENTRY, Notifications } from './notifications.ts'

/** A browser with this answer to the permission question, and the notifications it has shown. */
function browser(answer: NotificationPermission, kept: Record<string, string> = {}) {
  const shown: string[] = []
  const all = keptStorage(kept)
  const api = {
    permission: 'default' as NotificationPermission,
    asked: 0,
    requestPermission: async () => answer,
  }
  api.requestPermission = async () => {
    api.asked++
    api.permission = answer
    return answer
  }
  const clock = { at: 0 }
  const tab = () =>
    new Notifications({
      ...{ storage: all.tab(), api, now: () => clock.at },
      show: (text) => {
        if (text === 'refused') throw new TypeError('Illegal constructor')
        shown.push(text)
      },
    })
  return { shown, api, clock, tab, values: all.values }
}

test('notifications ask for permission when they are switched on and at no other time, and show nothing while they are off', async () => {
  const { api, shown, tab, values } = browser('granted')
  const page = tab()
  page.raise('a fill')
  expect([api.asked, shown]).toEqual([0, []])
  expect(await page.set(true)).toBe(true)
  expect([api.asked, page.isOn, values.get(NOTIFY_ENTRY)]).toEqual([1, true, 'true'])
  page.raise('a fill')
  expect(await page.set(false)).toBe(true)
  page.raise('another')
  expect([api.asked, shown]).toEqual([1, ['a fill']])
})

test('notifications that the browser refuses stay off, and a later withdrawal stops them', async () => {
  const refused = browser('denied')
  const page = refused.tab()
  expect([await page.set(true), page.isOn]).toEqual([false, false])
  const kept = browser('granted', { [NOTIFY_ENTRY]: 'true' })
  const later = kept.tab()
  later.raise('a fill')
  expect([later.isOn, kept.shown, kept.api.asked]).toEqual([true, [], 0])
})

test('a repeated notification within a moment is shown once, and an error of the browser is ignored', async () => {
  const { clock, shown, tab } = browser('granted')
  const page = tab()
  await page.set(true)
  for (const [at, text] of [
    [0, 'one'],
    [500, 'one'],
    [600, 'two'],
    [700, 'one'],
    [4_000, 'one'],
    [4_100, 'refused'],
  ] as const) {
    clock.at = at
    page.raise(text)
  }
  expect(shown).toEqual(['one', 'two', 'one', 'one'])
})

test('switching notifications in one tab switches them in the others', async () => {
  const { tab } = browser('granted')
  const [one, other] = [tab(), tab()]
  let changes = 0
  other.watch(() => changes++)
  await one.set(true)
  expect([other.isOn, changes]).toEqual([true, 1])
})
