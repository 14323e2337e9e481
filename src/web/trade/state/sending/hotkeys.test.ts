import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { keptStorage } from '../../../shared/browser-storage.fixture.ts'
import { DEFAULT_KEYS, HOTKEY_ACTIONS, Hotkeys, hotkeyEntry, keyOf } from './hotkeys.ts'

const PLAIN = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false }

describe('hotkeys', () => {
  test('are off at first, and do nothing while they are off', () => {
    const hotkeys = new Hotkeys(hotkeyEntry(keptStorage().tab()))
    expect([hotkeys.isOn.value, hotkeys.actionOf('b')]).toEqual([false, undefined])
    hotkeys.switch(true)
    expect([hotkeys.actionOf('b'), hotkeys.actionOf('z'), hotkeys.actionOf(undefined)]).toEqual([
      'BUY_BEST',
      undefined,
      undefined,
    ])
  })

  test('never do two things with one key, whatever keys are set, and are the same at the next visit', () => {
    const keys = fc.constantFrom('b', 's', 'x', 'Shift+x', '?', '1', 'ş', '', ' ', undefined)
    const steps = fc.array(fc.tuple(fc.constantFrom(...HOTKEY_ACTIONS), keys), { maxLength: 30 })
    fc.assert(
      fc.property(steps, (sequence) => {
        const browser = keptStorage()
        const hotkeys = new Hotkeys(hotkeyEntry(browser.tab()))
        for (const [action, key] of sequence) {
          const before = hotkeys.keyByAction.value
          const refusal = hotkeys.set(action, key)
          if (refusal === undefined) expect(hotkeys.keyByAction.value[action]).toBe(key)
          else expect(hotkeys.keyByAction.value).toBe(before)
          if (refusal?.kind === 'TAKEN') expect(before[refusal.by]).toBe(key)
          const given = Object.values(hotkeys.keyByAction.value).filter((each) => each !== undefined)
          expect(new Set(given).size).toBe(given.length)
        }
        const later = new Hotkeys(hotkeyEntry(browser.tab()))
        expect(later.keyByAction.value).toEqual(hotkeys.keyByAction.value)
        hotkeys.reset()
        expect(hotkeys.keyByAction.value).toEqual(DEFAULT_KEYS)
      }),
    )
  })

  test('are the default ones where stored data is damaged, or has one key twice', () => {
    for (const kept of [
      '{"isOn":true,"keyByAction":{"BUY_BEST":"s","SELL_BEST":"s"}}',
      '{"isOn":true,"keyByAction":{"BUY_BEST":7}}',
      '7',
    ]) {
      const hotkeys = new Hotkeys(hotkeyEntry(keptStorage({ 'bourse-hotkeys': kept }).tab()))
      expect(hotkeys.keyByAction.value).toEqual(DEFAULT_KEYS)
    }
  })

  test('are keys that type a character, without Ctrl, Alt and Meta, which belong to the browser', () => {
    const of = (key: string, modifiers: Partial<typeof PLAIN> = {}) => keyOf({ ...PLAIN, ...modifiers, key })
    expect([of('b'), of('B'), of('B', { shiftKey: true }), of('?', { shiftKey: true }), of('ş')]).toEqual([
      'b',
      'b',
      'Shift+b',
      '?',
      'ş',
    ])
    const none = [
      of('Enter'),
      of(' '),
      of('Escape'),
      of('F5'),
      of('b', { ctrlKey: true }),
      of('b', { altKey: true }),
    ]
    expect(none.every((key) => key === undefined)).toBe(true)
  })
})
