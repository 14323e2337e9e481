/**
 * Loads the layout of the panels: behind the first view, but before it where somebody has a layout of his own, so that nobody sees another one first. A phone has one
 * panel at a time and loads nothing of it.
 */
import { browserStorage } from '../../../shared/browser-storage.ts'
import { isKept, LAYOUT_ENTRY } from '../../state/part-entries.ts'
import type { PanelViewOptions } from './panel-view.ts'

type LayoutModule = typeof import('./layout.ts')

const panelsFit = matchMedia('(width >= 45rem)')

let loaded: Promise<LayoutModule | undefined> | undefined

/** Undefined: it cannot be had now. The page has the standard layout then, and the next call tries again. */
function load(): Promise<LayoutModule | undefined> {
  loaded ??= import('./layout.ts').catch(() => {
    loaded = undefined
    return undefined
  })
  return loaded
}

/** Resolves when the page may be shown. */
export async function untilKeptLayout(): Promise<void> {
  if (panelsFit.matches && isKept(browserStorage(window), LAYOUT_ENTRY)) await load()
}

export function startLayout(options: PanelViewOptions): void {
  let isStarted = false
  const start = async () => {
    if (isStarted || !panelsFit.matches) return
    isStarted = true
    const layout = await load()
    if (layout === undefined) isStarted = false
    else layout.layOut(options)
  }
  // A phone that is turned, or a window that is made wider.
  panelsFit.addEventListener('change', () => void start())
  void start()
}
