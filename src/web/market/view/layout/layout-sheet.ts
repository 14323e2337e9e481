/** The sheet behind the bar's button: presets, visible panels, and sizes for users who do not drag. */
import { onLanguage, TEXTS } from '../../../shared/texts/texts.ts'
import { byId, setText } from '../dom.ts'
import { changeableSizes, USUAL_SIZES } from './panel-grid.ts'
import {
  PANELS,
  type PanelName,
  PRESETS,
  type PresetName,
  presetLayout,
  SIZE_NAMES,
  SIZES,
  type SizeName,
  withPanel,
  withSize,
} from './panel-layout.ts'
import type { PanelView } from './panel-view.ts'

export class LayoutSheet {
  readonly #view: PanelView
  readonly #shows: (() => void)[] = []

  constructor(view: PanelView) {
    this.#view = view
    const sheet = byId('layout', HTMLElement)
    sheet.replaceChildren(
      this.#group(
        () => TEXTS.layout.preset,
        'layout-presets',
        PRESETS.map((name) => this.#preset(name)),
      ),
      this.#group(
        () => TEXTS.layout.shown,
        'layout-panels',
        PANELS.map((panel) => this.#panel(panel)),
      ),
      this.#group(
        () => TEXTS.layout.size,
        'layout-sizes',
        SIZE_NAMES.map((name) => this.#size(name)),
      ),
      this.#reset(),
    )
    sheet.addEventListener('toggle', ({ newState }) => {
      if (newState === 'open') sheet.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus()
    })
    const button = byId('layout-button', HTMLElement)
    const show = () => {
      button.title = TEXTS.layout.title
      for (const each of this.#shows) each()
    }
    view.watch(show)
    onLanguage(show)
  }

  #group(title: () => string, className: string, members: readonly HTMLElement[]): HTMLElement {
    const [group, legend] = [document.createElement('fieldset'), document.createElement('legend')]
    group.className = className
    group.append(legend, ...members)
    this.#shows.push(() => {
      setText(legend, title())
      group.hidden = members.every(({ hidden }) => hidden)
    })
    return group
  }

  #button(text: () => string, onClick: () => void): HTMLButtonElement {
    const made = document.createElement('button')
    made.type = 'button'
    made.addEventListener('click', onClick)
    this.#shows.push(() => setText(made, text()))
    return made
  }

  #preset(name: PresetName): HTMLElement {
    const made = this.#button(
      () => TEXTS.layout.presets[name],
      () => {
        this.#view.maximize(undefined)
        this.#view.set(presetLayout(name))
      },
    )
    this.#shows.push(() => {
      made.ariaPressed = String(this.#view.layout.preset === name)
    })
    return made
  }

  #panel(panel: PanelName): HTMLElement {
    const [label, box, text] = [
      document.createElement('label'),
      document.createElement('input'),
      document.createElement('span'),
    ]
    box.type = 'checkbox'
    label.className = 'trade-check'
    label.append(box, text)
    box.addEventListener('change', () => {
      this.#view.maximize(undefined)
      this.#view.set(withPanel(this.#view.layout, panel, box.checked))
    })
    this.#shows.push(() => {
      const { hidden } = this.#view.layout
      setText(text, TEXTS.layout.panels[panel])
      box.checked = !hidden.includes(panel)
      // The last visible panel cannot be hidden.
      box.disabled = box.checked && hidden.length === PANELS.length - 1
    })
    return label
  }

  #size(name: SizeName): HTMLElement {
    const [label, range, text] = [
      document.createElement('label'),
      document.createElement('input'),
      document.createElement('span'),
    ]
    range.type = 'range'
    range.min = String(SIZES[name].min)
    range.max = String(SIZES[name].max)
    range.step = String(SIZES[name].step)
    label.append(text, range)
    range.addEventListener('input', () =>
      this.#view.set(withSize(this.#view.layout, name, range.valueAsNumber)),
    )
    this.#shows.push(() => {
      const { layout, screen, shown } = this.#view
      const usual = USUAL_SIZES[screen]
      setText(text, TEXTS.layout.sizes[name])
      range.value = String(layout.sizes[name] ?? usual[name])
      label.hidden = !changeableSizes(screen, shown).includes(name)
    })
    return label
  }

  #reset(): HTMLElement {
    return this.#button(
      () => TEXTS.layout.reset,
      () => this.#view.reset(),
    )
  }
}
