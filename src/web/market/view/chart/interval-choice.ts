/** The choice of an interval: the common ones as buttons, all others in a list. */

import { onLanguage, TEXTS } from '../../../shared/texts/texts.ts'
import { INTERVALS, type Interval } from '../../state/candle-series.ts'
import { button, element } from './elements.ts'

const COMMON: readonly Interval[] = ['1m', '5m', '15m', '1h', '4h', '1d']

export class IntervalChoice {
  readonly element = element('fieldset', { className: 'intervals', id: 'intervals' })
  readonly #buttons: ReadonlyMap<Interval, HTMLButtonElement>
  readonly #others = element('select')

  constructor(chosen: Interval, onChoice: (interval: Interval) => void) {
    const choose = (interval: Interval) => {
      this.#show(interval)
      onChoice(interval)
    }
    this.#buttons = new Map(
      COMMON.map((interval) => [
        interval,
        button(
          () => interval,
          () => choose(interval),
        ),
      ]),
    )
    const others = INTERVALS.filter((interval) => !COMMON.includes(interval))
    const none = new Option('', '')
    none.disabled = true
    this.#others.append(none, ...others.map((interval) => new Option(interval)))
    this.#others.addEventListener('change', () => {
      const interval = others.find((other) => other === this.#others.value)
      if (interval !== undefined) choose(interval)
    })
    onLanguage(() => {
      none.text = TEXTS.chart.more
      this.#others.ariaLabel = TEXTS.chart.moreIntervals
      this.element.ariaLabel = TEXTS.chart.intervals
    })
    this.element.append(...this.#buttons.values(), this.#others)
    this.#show(chosen)
  }

  #show(interval: Interval): void {
    for (const [each, { ariaPressed }] of this.#buttons) {
      const isChosen = String(each === interval)
      const shown = this.#buttons.get(each)
      if (shown !== undefined && ariaPressed !== isChosen) shown.ariaPressed = isChosen
    }
    this.#others.value = this.#buttons.has(interval) ? '' : interval
  }
}
