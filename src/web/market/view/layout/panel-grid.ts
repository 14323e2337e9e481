/** The positions of the panels in a layout: the grid's template, for each kind of screen. */
import { PANELS, type PanelLayout, type PanelName, type SizeName } from './panel-layout.ts'

/**
 * By the width of the window, as in the style sheet (src/web/market/style/layout.css). `WIDEST` has the
 * trades in a column of their own. On a `TABLET` the page scrolls; a `PHONE` shows one panel at a time.
 */
export type Screen = 'WIDEST' | 'WIDE' | 'TABLET' | 'SMALL_TABLET' | 'PHONE'

/** Minimum widths, in rem, the widest screen first; a narrower screen is a phone. */
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
  /** The size of the upper one of two, as a share of the height. */
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

/**
 * The sizes in the style sheet, rounded to whole steps, for a layout in which the user has set no sizes. A
 * phone has none.
 */
export const USUAL_SIZES: { readonly [Kind in Screen]: { readonly [Name in SizeName]: number } } = {
  WIDE: { left: 65, middle: 65, book: 19, tape: 19, trade: 19.75 },
  WIDEST: { left: 65, middle: 65, book: 20.625, tape: 18.75, trade: 21.25 },
  TABLET: { left: 47.5, middle: 65, book: 19, tape: 19, trade: 19.375 },
  SMALL_TABLET: { left: 65, middle: 63, book: 19, tape: 19, trade: 25 },
  PHONE: { left: 65, middle: 65, book: 19, tape: 19, trade: 19 },
}

/**
 * Limits of column widths: the chart keeps most of the width in a smaller window, even if the widths were set
 * in a larger one.
 */
const WIDEST_SHARES: { readonly [Name in SizeName]?: number } = { book: 27, tape: 18, trade: 27 }

/** The visible panels. `maximized`: this panel alone, beside the order form. */
export function shownPanels({ hidden }: PanelLayout, maximized: PanelName | undefined): readonly PanelName[] {
  return PANELS.filter((panel) => (maximized === undefined ? !hidden.includes(panel) : panel === maximized))
}

/** The sizes of visible panels that can be changed on this screen. */
export function changeableSizes(screen: Screen, shown: readonly PanelName[]): readonly SizeName[] {
  if (screen === 'PHONE') return []
  if (screen === 'TABLET' || screen === 'SMALL_TABLET') return tabletSizes(screen, shown)
  return columnsOf(screen, shown).flatMap(({ name, panels, share }, index) => [
    ...(index > 0 && name !== 'rest' ? [name] : []),
    ...(share !== undefined && panels.length > 1 ? [share] : []),
  ])
}

/** For `grid-template`; undefined for that of the style sheet. */
export function gridTemplate(
  layout: PanelLayout,
  screen: Screen,
  maximized: PanelName | undefined,
): string | undefined {
  const shown = shownPanels(layout, maximized)
  const isUsual = shown.length === PANELS.length && Object.keys(layout.sizes).length === 0
  if (isUsual || screen === 'PHONE') return undefined
  if (screen === 'WIDE' || screen === 'WIDEST') return wideTemplate(layout, screen, shown)
  return tabletTemplate(layout, screen, shown)
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
  // The rest of the width belongs to the first column.
  const widths = columns.map(({ name }, at) => {
    if (at === 0 || name === 'rest') return 'minmax(0, 1fr)'
    return sizes[name] === undefined
      ? `${sizeOf(name)}rem`
      : `min(${sizes[name]}rem, ${WIDEST_SHARES[name] ?? 100}vw)`
  })
  return `${rows.join(' ')} / ${widths.join(' ')}`
}

/**
 * In percent of the height without the gap, in each column of two panels. A row between two others is lower
 * by one more gap, so that nothing moves when it appears or disappears.
 */
function rowHeight(percent: number, isBetween: boolean): string {
  if (percent === 100) return 'minmax(0, 1fr)'
  const part = `(100% - var(--gap)) * ${percent / 100}`
  return isBetween ? `max(0px, ${part} - var(--gap))` : `calc(${part})`
}

/**
 * The rows of a tablet's grid, from top to bottom. The rows beside the form together are as high as the
 * longest form; a single panel beside it has all of that height. The page scrolls, so heights are minimum
 * heights, in rem.
 */
function tabletTemplate({ sizes }: PanelLayout, screen: TabletScreen, shown: readonly PanelName[]): string {
  const isSmall = screen === 'SMALL_TABLET'
  const { beside, across: rest } = tabletRows(screen, shown)
  const rows = beside.map((areas, index) => {
    const least = beside.length < 2 ? ALONE_BESIDE_FORM : besideHeight(sizes, screen, index)
    return `"${areas} trade" ${track(least, isSmall ? 'auto' : shareOfRest(sizes, beside.length, index))}`
  })
  const across = (name: PanelName, least: number) =>
    rest.some((panel) => panel === name)
      ? [`"${name} ${name}${isSmall ? '' : ` ${name}`}" ${track(least, 'auto')}`]
      : []
  const others = isSmall ? 'minmax(0, 1fr)' : 'minmax(0, 1fr) minmax(0, 1fr)'
  const usualForm = isSmall ? 'minmax(0, 1fr)' : `${USUAL_SIZES.TABLET.trade}rem`
  const form = sizes.trade === undefined ? usualForm : `min(${sizes.trade}rem, 50vw)`
  return `${[...across('chart', chartAcross(sizes)), ...rows, ...across('account', 20)].join(' ')} / ${others} ${form}`
}

type TabletScreen = 'TABLET' | 'SMALL_TABLET'
type Sizes = PanelLayout['sizes']

/**
 * On a small tablet, book and trades are one above the other, beside the form; on a larger one they are side
 * by side, below the chart.
 */
function tabletRows(screen: TabletScreen, shown: readonly PanelName[]) {
  const pair = shown.filter((panel) => panel === 'book' || panel === 'tape')
  const wide = shown.filter((panel) => panel === 'chart' || panel === 'account')
  const isSmall = screen === 'SMALL_TABLET'
  const beside = isSmall ? (pair.length > 0 ? pair : wide.slice(0, 1)) : rowsBeside(pair, wide)
  return { beside, across: wide.filter((panel) => !beside.some((areas) => areas.startsWith(panel))) }
}

function tabletSizes(screen: TabletScreen, shown: readonly PanelName[]): readonly SizeName[] {
  const { beside, across } = tabletRows(screen, shown)
  const isTwo = beside.length === 2
  if (screen === 'TABLET') return isTwo && beside[0]?.startsWith('chart') ? ['left', 'trade'] : ['trade']
  return [
    ...(across.includes('chart') ? (['left'] as const) : []),
    ...(isTwo ? (['middle'] as const) : []),
    'trade',
  ]
}

/** The minimum heights of the two rows beside the form, in rem. */
const BESIDE_FORM: { readonly [Kind in TabletScreen]: readonly [upper: number, lower: number] } = {
  TABLET: [18.75, 20.625],
  SMALL_TABLET: [27.5, 16.25],
}

function besideHeight(sizes: Sizes, screen: TabletScreen, index: number): number {
  const [upper, lower] = BESIDE_FORM[screen]
  const share = sizes[screen === 'TABLET' ? 'left' : 'middle']
  if (share === undefined) return index === 0 ? upper : lower
  return rounded(((upper + lower) * (index === 0 ? share : 100 - share)) / 100)
}

/**
 * The share of the height that a larger screen has beyond the minimum heights: the chosen shares refer to the
 * total height.
 */
function shareOfRest({ left }: Sizes, rows: number, index: number): string {
  if (left === undefined || rows < 2) return '1fr'
  return `${index === 0 ? left : 100 - left}fr`
}

/**
 * The height of the chart above the other panels on a small tablet, in rem: scaled by `left` relative to its
 * default.
 */
export const CHART_ACROSS = 21.25

function chartAcross({ left }: Sizes): number {
  return rounded((CHART_ACROSS * (left ?? USUAL_SIZES.SMALL_TABLET.left)) / USUAL_SIZES.SMALL_TABLET.left)
}

/** Rounded to hundredths. */
function rounded(rem: number): number {
  return Math.round(rem * 100) / 100
}

/** `least` in rem. */
function track(least: number, most: string): string {
  return `minmax(${least}rem, ${most})`
}

/** In rem. */
const ALONE_BESIDE_FORM = 44

/** For a larger tablet, two columns beside the form. */
function rowsBeside(pair: readonly PanelName[], wide: readonly PanelName[]): readonly string[] {
  const [book, tape = book] = pair
  const rows = [
    ...wide.filter((panel) => panel === 'chart').map((panel) => `${panel} ${panel}`),
    ...(book === undefined ? [] : [`${book} ${tape}`]),
  ]
  return rows.length > 0 ? rows : wide.slice(0, 1).map((panel) => `${panel} ${panel}`)
}
