/**
 * The layout of the panels and its controls: separators between panels, buttons in their headers, and the
 * sheet behind the bar's button. This file, and the files that only it imports, are loaded after the first
 * view.
 */
import { byId } from '../dom.ts'
import { LayoutSheet } from './layout-sheet.ts'
import { PanelButtons } from './panel-buttons.ts'
import type { PanelName, SizeName } from './panel-layout.ts'
import { PanelView, type PanelViewOptions } from './panel-view.ts'
import { Separator } from './separator.ts'

/** The order of elements, which is that of the keyboard. */
const PLACES: readonly (readonly [before: string, separators: readonly SizeName[], panel: PanelName])[] = [
  ['chart', [], 'chart'],
  ['book', ['left', 'book'], 'book'],
  ['tape-panel', ['middle', 'tape'], 'tape'],
  ['trade', ['trade'], 'account'],
]

export function layOut(options: PanelViewOptions): void {
  const view = new PanelView(options)
  const buttons = new PanelButtons(view)
  for (const [before, separators, panel] of PLACES)
    byId(before, HTMLElement).before(
      ...separators.map((name) => new Separator(view, name).element),
      buttons.of(panel),
    )
  new LayoutSheet(view)
}
