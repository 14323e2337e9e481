import { expect, test } from 'bun:test'
import { keptStorage, refusedStorage } from '../../../shared/browser-storage.fixture.ts'
import {
  layoutEntry,
  PANELS,
  PRESETS,
  presetLayout,
  SIZE_NAMES,
  SIZES,
  withPanel,
  withSize,
} from './panel-layout.ts'

test('a layout is stored for the next visit, and a browser without storage has the standard one', () => {
  const browser = keptStorage()
  const layout = withSize(withPanel(presetLayout('TRADING'), 'tape', false), 'trade', 22)
  layoutEntry(browser.tab()).write(layout)
  expect(layoutEntry(browser.tab()).read()).toEqual(layout)
  expect(layoutEntry(refusedStorage()).read()).toEqual(presetLayout('STANDARD'))
})

test('a damaged part of a stored layout falls back to its preset, and no size exceeds what can be chosen', () => {
  const read = (kept: unknown) =>
    layoutEntry(keptStorage({ 'bourse-layout': JSON.stringify(kept) }).tab()).read()
  for (const kept of [null, 7, 'CHART', [], { preset: 'OTHER', hidden: 'book', sizes: [] }])
    expect(read(kept)).toEqual(presetLayout('STANDARD'))
  expect(
    read({
      preset: 'CHART',
      hidden: ['tape', 'trade', 4],
      sizes: { left: 99, book: -1, other: 3, tape: 'x' },
    }),
  ).toEqual({ preset: 'CHART', hidden: ['tape'], sizes: { left: 85, book: 16 } })
  expect(read({ preset: 'STANDARD', hidden: [...PANELS] }).hidden.length).toBe(PANELS.length - 1)
  expect(read({ preset: 'STANDARD', sizes: { constructor: 5, toString: 6 } }).sizes).toEqual({})
})

test('the last visible panel cannot be hidden', () => {
  for (const last of PANELS) {
    let layout = presetLayout('STANDARD')
    for (const panel of PANELS) if (panel !== last) layout = withPanel(layout, panel, false)
    expect(withPanel(layout, last, false)).toBe(layout)
    expect(layout.hidden).not.toContain(last)
    expect(withPanel(layout, 'chart', true).hidden).not.toContain('chart')
  }
})

test('a reset size is that of the preset, and each preset has only sizes that can be chosen', () => {
  for (const preset of PRESETS) {
    const layout = presetLayout(preset)
    for (const name of SIZE_NAMES) {
      const { min, max } = SIZES[name]
      expect(withSize(withSize(layout, name, max), name, undefined).sizes[name]).toBe(layout.sizes[name])
      const size = layout.sizes[name] ?? min
      expect([preset, name, size >= min && size <= max]).toEqual([preset, name, true])
    }
  }
})
