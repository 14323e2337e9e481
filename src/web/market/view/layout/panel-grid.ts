/** Where the panels of a layout lie: the grid's template, for each kind of screen. */
import { PANELS, type PanelLayout, type PanelName, type SizeName } from './panel-layout.ts'

/**
 * By the width of the window, as the style sheet has them (src/web/market/style/layout.css). `WIDEST` has the trades in a column of their own. On a `TABLET` the page
 * scrolls, and the sizes are those of the style sheet; a `PHONE` has one panel at a time.
 */
export type Screen = 'WIDEST' | 'WIDE' | 'TABLET' | 'SMALL_TABLET' | 'PHONE'

/** Least widths, in rem, the widest first; below all of them it is a phone. */
export const SCREENS = [
  ['WIDEST', 106.25],
  ['WIDE', 75],
  ['TABLET', 58.75],
  ['SMALL_TABLET', 45],
] as const

type Area = PanelName | 'trade'

type Column = {
  readonly name: SizeName | 'rest'
  /** From top to bottom, two at most. */
  readonly panels: readonly Area[]
  /** What the upper one of two takes of the height. */
  readonly share?: SizeName
}

const COLUMNS: { readonly [Kind in 'WIDEST' | 'WIDE']: readonly Column[] } = {
  WIDE: [
    { name: 'rest', panels: ['chart', 'account'], share: 'left' },
    { name: 'book', panels: ['book', 'tape'], share: 'middle' },
    { name: 'trade', panels: ['trade'] },
  ],
  WIDEST: [
    { name: 'rest', panels: ['chart', 'account'], share: 'left' },
    { name: 'book', panels: ['book'] },
    { name: 'tape', panels: ['tape'] },
    { name: 'trade', panels: ['trade'] },
  ],
}

/** Those of the style sheet: a layout that names no size has these. */
export const USUAL_SIZES: {
  readonly [Kind in 'WIDEST' | 'WIDE']: { readonly [Name in SizeName]: number }
} = {
  WIDE: { left: 65, middle: 65, book: 19, tape: 19, trade: 19.75 },
  WIDEST: { left: 65, middle: 65, book: 20.625, tape: 18.75, trade: 21.25 },
}

/** However wide a column was made elsewhere, the chart has most of a smaller window. */
const WIDEST_SHARES: { readonly [Name in SizeName]?: number } = { book: 27, tape: 18, trade: 27 }

/** What is on the screen. `maximized`: this panel alone, beside the order form. */
export function shownPanels({ hidden }: PanelLayout, maximized: PanelName | undefined): readonly PanelName[] {
  return PANELS.filter((panel) => (maximized === undefined ? !hidden.includes(panel) : panel === maximized))
}

/** The sizes that can be changed on this screen, of the panels that are shown. */
export function changeableSizes(screen: Screen, shown: readonly PanelName[]): readonly SizeName[] {
  if (screen !== 'WIDE' && screen !== 'WIDEST') return []
  return columnsOf(screen, shown).flatMap(({ name, panels, share }, index) => [
    ...(index > 0 && name !== 'rest' ? [name] : []),
    ...(share !== undefined && panels.length > 1 ? [share] : []),
  ])
}

/** For `grid-template`; undefined: as the style sheet has it. */
export function gridTemplate(
  layout: PanelLayout,
  screen: Screen,
  maximized: PanelName | undefined,
): string | undefined {
  const shown = shownPanels(layout, maximized)
  const isUsual = shown.length === PANELS.length && Object.keys(layout.sizes).length === 0
  if (isUsual || screen === 'PHONE') return undefined
  if (screen === 'WIDE' || screen === 'WIDEST') return wideTemplate(layout, screen, shown)
  return tabletTemplate(screen, shown)
}

function columnsOf(screen: 'WIDE' | 'WIDEST', shown: readonly PanelName[]): readonly Column[] {
  const isShown = (area: Area) => area === 'trade' || shown.includes(area)
  return COLUMNS[screen]
    .map((column) => ({ ...column, panels: column.panels.filter(isShown) }))
    .filter(({ panels }) => panels.length > 0)
}

function wideTemplate(
  { sizes }: PanelLayout,
  screen: 'WIDE' | 'WIDEST',
  shown: readonly PanelName[],
): string {
  const columns = columnsOf(screen, shown)
  const sizeOf = (name: SizeName) => sizes[name] ?? USUAL_SIZES[screen][name]
  const shares = columns.map(({ share, panels }) =>
    share === undefined || panels.length === 1 ? 100 : sizeOf(share),
  )
  const ends = [...new Set([...shares, 100])].sort((one, other) => one - other)
  const rows = ends.map((end, index) => {
    const areas = columns.map(({ panels }, at) => (end > (shares[at] ?? 100) ? panels[1] : panels[0]))
    return `"${areas.join(' ')}" ${rowHeight(end - (ends[index - 1] ?? 0), index > 0 && end < 100)}`
  })
  // What is left of the width is the first column's.
  const widths = columns.map(({ name }, at) => {
    if (at === 0 || name === 'rest') return 'minmax(0, 1fr)'
    return sizes[name] === undefined
      ? `${sizeOf(name)}rem`
      : `min(${sizes[name]}rem, ${WIDEST_SHARES[name] ?? 100}vw)`
  })
  return `${rows.join(' ')} / ${widths.join(' ')}`
}

/** Of the height without the gap that each column of two panels has. A row between two others takes one more gap: nothing moves where it comes or goes. */
function rowHeight(percent: number, isBetween: boolean): string {
  if (percent === 100) return 'minmax(0, 1fr)'
  const part = `(100% - var(--gap)) * ${percent / 100}`
  return isBetween ? `max(0px, ${part} - var(--gap))` : `calc(${part})`
}

/** Its rows, from top to bottom. Those beside the form are together as high as the form may be: what stands there alone has all of that. */
function tabletTemplate(screen: 'TABLET' | 'SMALL_TABLET', shown: readonly PanelName[]): string {
  const isSmall = screen === 'SMALL_TABLET'
  const pair = shown.filter((panel) => panel === 'book' || panel === 'tape')
  const wide = shown.filter((panel) => panel === 'chart' || panel === 'account')
  // A small one has book and trades below each other beside the form, a larger one beside each other below the chart.
  const beside = isSmall ? (pair.length > 0 ? pair : wide.slice(0, 1)) : rowsBeside(pair, wide)
  const [first, second] = beside
  const heights = isSmall ? [27.5, 16.25] : [18.75, 20.625]
  const rows = [first, second].flatMap((areas, index) => {
    if (areas === undefined) return []
    const least = second === undefined ? ALONE_BESIDE_FORM : (heights[index] ?? ALONE_BESIDE_FORM)
    return [`"${areas} trade" ${track(least, isSmall ? 'auto' : '1fr')}`]
  })
  const rest = wide.filter((panel) => !beside.some((areas) => areas.startsWith(panel)))
  const across = (name: PanelName, least: number) =>
    rest.some((panel) => panel === name)
      ? [`"${name} ${name}${isSmall ? '' : ` ${name}`}" ${track(least, 'auto')}`]
      : []
  const widths = isSmall ? 'minmax(0, 1fr) minmax(0, 1fr)' : 'minmax(0, 1fr) minmax(0, 1fr) 19.375rem'
  return `${[...across('chart', 21.25), ...rows, ...across('account', 20)].join(' ')} / ${widths}`
}

/** `least` in rem. */
function track(least: number, most: 'auto' | '1fr'): string {
  return `minmax(${least}rem, ${most})`
}

/** In rem. */
const ALONE_BESIDE_FORM = 44

/** Of a larger tablet, two columns beside the form. */
function rowsBeside(pair: readonly PanelName[], wide: readonly PanelName[]): readonly string[] {
  const [book, tape = book] = pair
  const rows = [
    ...wide.filter((panel) => panel === 'chart').map((panel) => `${panel} ${panel}`),
    ...(book === undefined ? [] : [`${book} ${tape}`]),
  ]
  return rows.length > 0 ? rows : wide.map((panel) => `${panel} ${panel}`)
}
