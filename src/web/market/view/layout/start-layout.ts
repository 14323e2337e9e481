/**
 * Loads the layout of the panels: after the first view, but before it if the user has a layout of their own,
 * so that no other is shown first. A phone shows one panel at a time and loads none of it.
 */
import { browserStorage } from '../../../shared/browser-storage.ts'
import { isKept, LAYOUT_ENTRY } from '../../state/part-entries.ts'
import type { PanelViewOptions } from './panel-view.ts'

type LayoutModule = typeof import('./layout.ts')

const panelsFit = matchMedia('(width >= 45rem)')

let loaded: Promise<LayoutModule | undefined> | undefined

/** Undefined if loading failed. The page then has the standard layout, and the next call tries again. */
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
  // A phone was rotated, or a window was widened.
  panelsFit.addEventListener('change', () => void start())
  void start()
}
