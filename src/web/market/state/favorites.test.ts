import { describe, expect, test } from 'bun:test'
import { keptStorage } from '../../shared/browser-storage.fixture.ts'
import { FAVORITES_MAX, Favorites } from './favorites.ts'

const NAME = 'bourse-favorites'

describe('favorites', () => {
  test('are marked and unmarked, stored, and the same in every tab of the browser', () => {
    const kept = keptStorage()
    const heard: string[] = []
    const here = new Favorites(kept.tab(), () => heard.push('here'))
    const there = new Favorites(kept.tab(), () => heard.push('there'))
    for (const name of ['A/B', 'C/D', 'A/B']) here.toggle(name)
    expect([here.has('A/B'), here.has('C/D'), there.has('C/D')]).toEqual([false, true, true])
    expect(heard).toEqual(['there', 'here', 'there', 'here', 'there', 'here'])
    expect(new Favorites(kept.tab(), () => {}).has('C/D')).toBe(true)
  })

  test('are empty where stored data is invalid, and work in a browser without storage', () => {
    for (const text of ['{', '7', '[7,null]']) {
      const favorites = new Favorites(keptStorage({ [NAME]: text }, { isFull: true }).tab(), () => {})
      favorites.toggle('A/B')
      expect([favorites.has('7'), favorites.has('A/B')]).toEqual([false, true])
    }
  })

  test('beyond their limit drop the oldest', () => {
    const names = Array.from({ length: FAVORITES_MAX }, (_, index) => `M${index}/Q`)
    const kept = keptStorage({ [NAME]: JSON.stringify(names) })
    const favorites = new Favorites(kept.tab(), () => {})
    favorites.toggle('NEW/Q')
    expect([favorites.has('M0/Q'), favorites.has('M1/Q'), favorites.has('NEW/Q')]).toEqual([
      false,
      true,
      true,
    ])
    expect(JSON.parse(kept.values.get(NAME) ?? '')).toHaveLength(FAVORITES_MAX)
  })
})
