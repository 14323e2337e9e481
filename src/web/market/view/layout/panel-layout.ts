/**
 * The visible panels and their sizes: a preset, and the user's changes. Stored in this browser; nothing else
 * depends on it.
 */
import { browserEntry, type Entry, membersOf } from '../../../shared/browser-entry.ts'
import type { BrowserStorage } from '../../../shared/browser-storage.ts'
import { LAYOUT_ENTRY } from '../../state/part-entries.ts'

/** The panels that can be hidden and maximized. The order form always has its place. */
export const PANELS = ['chart', 'book', 'tape', 'account'] as const

export type PanelName = (typeof PANELS)[number]

export const PRESETS = ['STANDARD', 'CHART', 'TRADING'] as const

export type PresetName = (typeof PRESETS)[number]

/**
 * `left` and `middle`: the height of the upper panel in percent of its column: the chart above the account,
 * the book above the trades. The others are widths of columns, in rem.
 */
export const SIZES = {
  left: { min: 20, max: 85, step: 0.5 },
  middle: { min: 20, max: 85, step: 0.5 },
  book: { min: 16, max: 30, step: 0.25 },
  tape: { min: 15, max: 26, step: 0.25 },
  trade: { min: 19, max: 28, step: 0.25 },
} as const

export type SizeName = keyof typeof SIZES

export const SIZE_NAMES = Object.keys(SIZES) as readonly SizeName[]

export type PanelLayout = {
  readonly preset: PresetName
  readonly hidden: readonly PanelName[]
  /** An absent size is the style sheet's. */
  readonly sizes: { readonly [Name in SizeName]?: number }
}

const OF_PRESETS: { readonly [Name in PresetName]: Omit<PanelLayout, 'preset'> } = {
  STANDARD: { hidden: [], sizes: {} },
  CHART: { hidden: ['book', 'tape'], sizes: { left: 76 } },
  TRADING: { hidden: [], sizes: { left: 45, middle: 68 } },
}

/** Without the user's changes. */
export function presetLayout(preset: PresetName): PanelLayout {
  return { preset, ...OF_PRESETS[preset] }
}

/** At least one panel is always visible: the last one cannot be hidden. */
export function withPanel(layout: PanelLayout, panel: PanelName, isShown: boolean): PanelLayout {
  const hidden = PANELS.filter((each) => (each === panel ? !isShown : layout.hidden.includes(each)))
  return hidden.length === PANELS.length ? layout : { ...layout, hidden }
}

/** Undefined restores the preset's own size. */
export function withSize(layout: PanelLayout, name: SizeName, size: number | undefined): PanelLayout {
  const { [name]: _, ...sizes } = layout.sizes
  const wanted = size ?? OF_PRESETS[layout.preset].sizes[name]
  return { ...layout, sizes: wanted === undefined ? sizes : { ...sizes, [name]: within(name, wanted) } }
}

export function within(name: SizeName, size: number): number {
  const { min, max, step } = SIZES[name]
  return Math.min(max, Math.max(min, Math.round(size / step) * step))
}

/** Damaged entries fall back to the preset. */
export function layoutEntry(storage: BrowserStorage): Entry<PanelLayout> {
  return browserEntry(storage, LAYOUT_ENTRY, (kept) => {
    const { preset, hidden, sizes } = membersOf(kept)
    let layout = presetLayout(PRESETS.find((known) => known === preset) ?? 'STANDARD')
    if (Array.isArray(hidden))
      for (const panel of PANELS) layout = withPanel(layout, panel, !hidden.includes(panel))
    for (const [name, size] of Object.entries(membersOf(sizes)))
      if (isSizeName(name) && typeof size === 'number' && Number.isFinite(size))
        layout = withSize(layout, name, size)
    return layout
  })
}

function isSizeName(name: string): name is SizeName {
  return Object.hasOwn(SIZES, name)
}
