/** Applies the user's layout of the panels, on each kind of screen. */
import type { Entry } from '../../../shared/browser-entry.ts'
import type { BrowserStorage } from '../../../shared/browser-storage.ts'
import { byId, setData } from '../dom.ts'
import { gridTemplate, SCREENS, type Screen, shownPanels } from './panel-grid.ts'
import { layoutEntry, PANELS, type PanelLayout, type PanelName, presetLayout } from './panel-layout.ts'

export type PanelViewOptions = {
  readonly storage: BrowserStorage
  /** Called when the trades become visible or hidden: notices are shown over them. */
  readonly onTape: (isShown: boolean) => void
}

export class PanelView {
  readonly #options: PanelViewOptions
  readonly #entry: Entry<PanelLayout>
  readonly #main = byId('main', HTMLElement)
  readonly #screens = SCREENS.map(([name, width]) => [name, matchMedia(`(width >= ${width}rem)`)] as const)
  readonly #watchers: (() => void)[] = []
  #layout: PanelLayout
  #maximized: PanelName | undefined

  constructor(options: PanelViewOptions) {
    this.#options = options
    this.#entry = layoutEntry(options.storage)
    this.#layout = this.#entry.read()
    for (const [, list] of this.#screens) list.addEventListener('change', () => this.#lay())
    this.#lay()
  }

  get layout(): PanelLayout {
    return this.#layout
  }

  get maximized(): PanelName | undefined {
    return this.#maximized
  }

  get screen(): Screen {
    return this.#screens.find(([, list]) => list.matches)?.[0] ?? 'PHONE'
  }

  get shown(): readonly PanelName[] {
    return shownPanels(this.#layout, this.#maximized)
  }

  /** Calls the listener at each change. */
  watch(onChange: () => void): void {
    this.#watchers.push(onChange)
  }

  /** `isKept`: false while it is being dragged. */
  set(layout: PanelLayout, isKept = true): void {
    this.#layout = layout
    if (isKept) this.#entry.write(layout)
    this.#lay()
  }

  /** Restores the layout of the first visit. */
  reset(): void {
    this.#maximized = undefined
    this.set(presetLayout('STANDARD'))
  }

  /** Maximizes a panel until the page is left or the user restores it; undefined maximizes none. */
  maximize(panel: PanelName | undefined): void {
    this.#maximized = panel
    this.#lay()
  }

  #lay(): void {
    const { screen, shown } = this
    this.#main.style.gridTemplate = gridTemplate(this.#layout, screen, this.#maximized) ?? ''
    const off = screen === 'PHONE' ? [] : PANELS.filter((panel) => !shown.includes(panel))
    setData(document.body, 'off', off.length === 0 ? undefined : off.join(' '))
    this.#options.onTape(!off.includes('tape'))
    for (const onChange of this.#watchers) onChange()
  }
}
