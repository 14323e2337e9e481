import { describe, expect, test } from 'bun:test'
import { browserEntry } from './browser-entry.ts'
import { keptStorage, refusedStorage } from './browser-storage.fixture.ts'
import type { BrowserStorage } from './browser-storage.ts'

describe('browser storage', () => {
  test('is the same in every tab, and each tab is notified of what another one writes or removes', () => {
    const browser = keptStorage({ old: '1' })
    const [one, other] = [browser.tab(), browser.tab()]
    const heard: (string | undefined)[] = []
    other.watch((name) => heard.push(name))
    expect(one.write('new', '2')).toBe(true)
    one.remove('old')
    expect([other.names(), other.read('new'), other.read('old')]).toEqual([['new'], '2', undefined])
    expect(heard).toEqual(['new', 'old'])
  })

  test('is empty where the browser refuses storage, and the page continues', () => {
    const storage = refusedStorage()
    expect(storage.write('name', 'text')).toBe(false)
    storage.remove('name')
    expect([storage.read('name'), storage.names()]).toEqual([undefined, []])
  })

  test('stays readable and removable where the storage is full', () => {
    const storage = keptStorage({ name: 'text' }, { isFull: true }).tab()
    expect([storage.write('name', 'longer'), storage.write('other', 'text')]).toEqual([false, false])
    expect([storage.read('name'), storage.names()]).toEqual(['text', ['name']])
    storage.remove('name')
    expect(storage.names()).toEqual([])
  })
})

describe('an entry of browser storage', () => {
  const entryOf = (storage: BrowserStorage) =>
    browserEntry(storage, 'name', (kept) => (typeof kept === 'number' ? kept : 0))

  test('is read as at the first visit where nothing is stored, where it is damaged, and where the browser refuses storage', () => {
    const storages = [keptStorage().tab(), keptStorage({ name: '{' }).tab(), refusedStorage()]
    expect(storages.map((storage) => entryOf(storage).read())).toEqual([0, 0, 0])
  })

  test('reports a change of its own name, or of everything, by another tab', () => {
    const browser = keptStorage()
    const [one, other] = [browser.tab(), browser.tab()]
    const seen: number[] = []
    const entry = entryOf(other)
    entry.watch(() => seen.push(entry.read()))
    entryOf(one).write(7)
    one.write('another', '8')
    browser.clear()
    expect(seen).toEqual([7, 0])
  })
})
