import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { changeableSizes, gridTemplate, SCREENS, type Screen, shownPanels } from './panel-grid.ts'
import {
  PANELS,
  type PanelLayout,
  type PanelName,
  PRESETS,
  presetLayout,
  SIZE_NAMES,
  SIZES,
  withPanel,
  withSize,
} from './panel-layout.ts'

const WITH_PANELS: readonly Screen[] = SCREENS.map(([screen]) => screen)

const LAYOUTS: fc.Arbitrary<PanelLayout> = fc
  .record({
    preset: fc.constantFrom(...PRESETS),
    hidden: fc.subarray([...PANELS]),
    sizes: fc.array(fc.tuple(fc.constantFrom(...SIZE_NAMES), fc.double({ min: -10, max: 200, noNaN: true }))),
  })
  .map(({ preset, hidden, sizes }) => {
    let layout = presetLayout(preset)
    for (const panel of hidden) layout = withPanel(layout, panel, false)
    for (const [name, size] of sizes) layout = withSize(layout, name, size)
    return layout
  })

/** The names in a template, by row and column. */
function areasOf(template: string): readonly (readonly string[])[] {
  return [...template.matchAll(/"([^"]+)"/g)].map(([, row = '']) => row.split(' '))
}

/** Whether the cells of a name form one rectangle: a browser accepts no other template. */
function isRectangle(areas: readonly (readonly string[])[], name: string): boolean {
  const places = areas.flatMap((row, y) => row.flatMap((each, x) => (each === name ? [{ x, y }] : [])))
  const span = (values: readonly number[]) => Math.max(...values) - Math.min(...values) + 1
  return (
    places.length > 0 && places.length === span(places.map(({ x }) => x)) * span(places.map(({ y }) => y))
  )
}

function templateOf(layout: PanelLayout, screen: Screen, maximized: PanelName | undefined): string {
  return gridTemplate(layout, screen, maximized) ?? ''
}

test('whatever is hidden, resized or maximized, each visible panel and the order form have one rectangle of the grid, on every screen, and no other panel has any', () => {
  fc.assert(
    fc.property(
      LAYOUTS,
      fc.constantFrom(...WITH_PANELS),
      fc.option(fc.constantFrom(...PANELS), { nil: undefined }),
      (layout, screen, maximized) => {
        const template = templateOf(layout, screen, maximized)
        if (template === '') return
        const areas = areasOf(template)
        const columns = areas[0]?.length ?? 0
        expect(areas.every((row) => row.length === columns)).toBe(true)
        const shown = [...shownPanels(layout, maximized), 'trade']
        for (const name of shown)
          expect([template, name, isRectangle(areas, name)]).toEqual([template, name, true])
        expect([...new Set(areas.flat())].toSorted()).toEqual(shown.toSorted())
        const widths = template.split(' / ')[1] ?? ''
        expect(widths.match(/minmax\([^)]*\)|min\([^)]*\)|[\d.]+rem/g)?.length).toBe(columns)
        expect(widths).toContain('minmax(0, 1fr)')
      },
    ),
  )
})

test('the standard layout is the style sheet’s on every screen, and on a phone so is every other', () => {
  for (const screen of WITH_PANELS)
    expect(gridTemplate(presetLayout('STANDARD'), screen, undefined)).toBeUndefined()
  for (const preset of PRESETS)
    for (const panel of [undefined, ...PANELS])
      expect(gridTemplate(presetLayout(preset), 'PHONE', panel)).toBeUndefined()
})

test('chart and book have separate heights: where both are changed, one ends above the other', () => {
  const layout = withSize(withSize(presetLayout('STANDARD'), 'left', 40), 'middle', 70)
  const part = (size: number) => `(100% - var(--gap)) * ${size}`
  expect(templateOf(layout, 'WIDE', undefined)).toBe(
    `"chart book trade" calc(${part(0.4)}) "account book trade" max(0px, ${part(0.3)} - var(--gap)) ` +
      `"account tape trade" calc(${part(0.3)}) / minmax(0, 1fr) 19rem 19.75rem`,
  )
  // The trades of the widest screen have their own column: the book has no height to change.
  expect(templateOf(layout, 'WIDEST', undefined)).toBe(
    `"chart book tape trade" calc(${part(0.4)}) "account book tape trade" calc(${part(0.6)})` +
      ' / minmax(0, 1fr) 20.625rem 18.75rem 21.25rem',
  )
})

test('on a tablet, whose page scrolls, sizes are minimum heights and the width of the form', () => {
  const sizes = { left: 60, middle: 50, trade: 22 } as const
  const layout = { ...presetLayout('STANDARD'), sizes }
  expect(templateOf(layout, 'TABLET', undefined)).toBe(
    '"chart chart trade" minmax(23.63rem, 60fr) "book tape trade" minmax(15.75rem, 40fr) ' +
      '"account account account" minmax(20rem, auto) / minmax(0, 1fr) minmax(0, 1fr) min(22rem, 50vw)',
  )
  expect(templateOf(layout, 'SMALL_TABLET', undefined)).toBe(
    '"chart chart" minmax(19.62rem, auto) "book trade" minmax(21.88rem, auto) "tape trade" minmax(21.88rem, auto) ' +
      '"account account" minmax(20rem, auto) / minmax(0, 1fr) min(22rem, 50vw)',
  )
})

test('a maximized panel takes the space of all others beside the form, whatever is hidden', () => {
  const layout = presetLayout('CHART')
  expect(areasOf(templateOf(layout, 'WIDE', 'tape'))).toEqual([['tape', 'trade']])
  expect(areasOf(templateOf(layout, 'SMALL_TABLET', 'account'))).toEqual([['account', 'trade']])
  expect(shownPanels(layout, 'tape')).toEqual(['tape'])
})

test('only sizes between visible panels can be changed, within their limits, on tablets too', () => {
  expect(changeableSizes('WIDE', PANELS)).toEqual(['left', 'book', 'middle', 'trade'])
  expect(changeableSizes('WIDEST', PANELS)).toEqual(['left', 'book', 'tape', 'trade'])
  expect(changeableSizes('WIDE', ['chart', 'tape'])).toEqual(['book', 'trade'])
  expect(changeableSizes('WIDE', ['book'])).toEqual(['trade'])
  expect(changeableSizes('TABLET', PANELS)).toEqual(['left', 'trade'])
  expect(changeableSizes('TABLET', ['chart', 'account'])).toEqual(['trade'])
  expect(changeableSizes('SMALL_TABLET', PANELS)).toEqual(['left', 'middle', 'trade'])
  expect(changeableSizes('SMALL_TABLET', ['chart', 'tape', 'account'])).toEqual(['left', 'trade'])
  expect(changeableSizes('PHONE', PANELS)).toEqual([])
  for (const name of SIZE_NAMES) {
    const { min, max } = SIZES[name]
    const sizes = [-1, max + 1].map((size) => withSize(presetLayout('STANDARD'), name, size).sizes[name])
    expect(sizes).toEqual([min, max])
  }
})
