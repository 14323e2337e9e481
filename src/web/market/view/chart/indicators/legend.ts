/**
 * The chosen indicators in words, above the candles: the name, the value at the candle under the pointer, and
 * buttons to change and remove it.
 */
import { groupedText } from '../../../../shared/grouped-text.ts'
import { onLanguage, TEXTS } from '../../../../shared/texts/texts.ts'
import type { Chosen, Kind } from '../../../indicators/kinds.ts'
import { NOTHING, setText } from '../../dom.ts'
import { element } from '../elements.ts'
import type { Figures } from './indicator-layer.ts'

const RSI_PLACES = 1

export type LegendOptions = {
  readonly place: HTMLElement
  readonly onChange: () => void
  readonly onRemove: (id: number) => void
}

type Item = {
  readonly change: HTMLButtonElement
  readonly remove: HTMLButtonElement
  readonly values: HTMLElement
}

/** The common abbreviation, with its parameters. */
export function shortName({ kind, values }: Chosen): string {
  return [kind, ...values].join(' ')
}

export class Legend {
  readonly #options: LegendOptions
  readonly #items = new Map<number, Item>()

  constructor(options: LegendOptions) {
    this.#options = options
    options.place.role = 'group'
    onLanguage(() => {
      options.place.ariaLabel = TEXTS.indicators.title
    })
  }

  /** Sets the figures of the chosen indicators. */
  set(figures: readonly Figures[]): void {
    const { place, onChange, onRemove } = this.#options
    const hadFocus = place.contains(document.activeElement)
    this.#items.clear()
    const items = figures.map(({ chosen, color }) => {
      const item = element('span', { className: 'chart-indicator' })
      const swatch = element('span', { className: 'chart-swatch' })
      swatch.style.background = color
      const change = buttonOf(shortName(chosen), TEXTS.indicators.change(shortName(chosen)), onChange)
      const remove = buttonOf('×', TEXTS.indicators.remove(shortName(chosen)), () => onRemove(chosen.id))
      const values = element('span')
      this.#items.set(chosen.id, { change, remove, values })
      item.append(swatch, change, values, remove)
      return item
    })
    place.hidden = items.length === 0
    place.replaceChildren(...items)
    if (hadFocus) (place.querySelector('button') ?? document.getElementById('chart-body'))?.focus()
  }

  write(figures: readonly Figures[], places: number): void {
    for (const { chosen, values } of figures) {
      const item = this.#items.get(chosen.id)
      if (item !== undefined) setText(item.values, textOf(chosen.kind, values, places))
    }
  }
}

function textOf(kind: Kind, values: readonly number[], places: number): string {
  const text = (value: number) =>
    Number.isNaN(value) ? NOTHING : groupedText(value.toFixed(kind === 'RSI' ? RSI_PLACES : places))
  return values.length === 0 ? NOTHING : values.map(text).join('  ')
}

function buttonOf(text: string, name: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', { text })
  made.type = 'button'
  made.ariaLabel = name
  made.addEventListener('click', onClick)
  return made
}
