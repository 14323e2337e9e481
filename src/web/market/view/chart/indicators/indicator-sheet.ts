/** The sheet in which indicators are added, changed and removed. */

import { onLanguage, TEXTS } from '../../../../shared/texts/texts.ts'
import {
  CHOSEN_MAX,
  type Chosen,
  KINDS,
  type Kind,
  PANES_MAX,
  PARAMETERS,
  type Parameter,
  typedParameter,
  whyNotChosen,
} from '../../../indicators/kinds.ts'
import { setText } from '../../dom.ts'
import { element } from '../elements.ts'
import { shortName } from './legend.ts'

export type IndicatorSheetOptions = {
  readonly chosen: () => readonly Chosen[]
  readonly onAdd: (kind: Kind) => void
  readonly onValues: (id: number, values: readonly number[]) => void
  readonly onRemove: (id: number) => void
}

export class IndicatorSheet {
  readonly element = element('div', { className: 'chart-fields' })
  readonly #options: IndicatorSheetOptions
  readonly #said = element('p', { className: 'chart-problem' })

  constructor(options: IndicatorSheetOptions) {
    this.#options = options
    this.#said.role = 'status'
    onLanguage(() => this.show())
  }

  /** Called when the choice changes. The focus stays where it was, or goes to the first control. */
  show(): void {
    const { chosen } = this.#options
    const focused = this.element.contains(document.activeElement) ? document.activeElement?.id : undefined
    setText(this.#said, '')
    const none = element('p', { text: TEXTS.indicators.none })
    const shown = chosen().map((one) => this.#fieldsOf(one))
    this.element.replaceChildren(...(shown.length === 0 ? [none] : shown), this.#adders(), this.#said)
    if (focused === undefined) return
    const again = document.getElementById(focused) ?? this.element.querySelector<HTMLElement>('input, button')
    again?.focus()
  }

  #adders(): HTMLElement {
    const { indicators: words } = TEXTS
    const adders = element('fieldset', { className: 'chart-adders' })
    adders.append(element('legend', { text: words.add }))
    for (const kind of KINDS) {
      const add = this.#button(`add-${kind}`, words.kinds[kind], words.kinds[kind], () => {
        const why = whyNotChosen(this.#options.chosen(), kind)
        if (why === undefined) this.#options.onAdd(kind)
        else setText(this.#said, words.why[why](String(why === 'MANY' ? CHOSEN_MAX : PANES_MAX)))
      })
      adders.append(add)
    }
    return adders
  }

  #fieldsOf(chosen: Chosen): HTMLElement {
    const { indicators: words } = TEXTS
    const fields = element('fieldset', { className: 'chart-set' })
    fields.append(element('legend', { text: words.kinds[chosen.kind] }))
    for (const [index, parameter] of PARAMETERS[chosen.kind].entries())
      fields.append(this.#parameter(chosen, parameter, index))
    const name = words.remove(shortName(chosen))
    fields.append(this.#button(`remove-${chosen.id}`, '×', name, () => this.#options.onRemove(chosen.id)))
    return fields
  }

  #parameter(chosen: Chosen, parameter: Parameter, index: number): HTMLElement {
    const name = TEXTS.indicators.parameters[parameter.name]
    const [label, input] = [element('label', { text: name }), element('input')]
    input.id = `indicator-${chosen.id}-${parameter.name}`
    input.inputMode = parameter.isWhole ? 'numeric' : 'decimal'
    input.value = String(chosen.values[index] ?? parameter.usual)
    input.addEventListener('change', () => {
      const value = typedParameter(input.value, parameter)
      input.ariaInvalid = String(value === undefined)
      if (value === undefined) setText(this.#said, problemOf(name, parameter))
      else this.#options.onValues(chosen.id, chosen.values.toSpliced(index, 1, value))
    })
    label.append(' ', input)
    return label
  }

  #button(id: string, text: string, name: string, onClick: () => void): HTMLButtonElement {
    const made = element('button', { id: `indicator-${id}`, text })
    made.type = 'button'
    made.ariaLabel = name
    made.addEventListener('click', onClick)
    return made
  }
}

function problemOf(name: string, { least, most, isWhole }: Parameter): string {
  const { whole, number } = TEXTS.indicators
  return (isWhole ? whole : number)(name, String(least), String(most))
}
