/** The choice of the candles' style and of the price scale. */

import { onLanguage, TEXTS } from '../../../shared/texts/texts.ts'
import { CHART_SCALES, CHART_STYLES, type ChartScale, type ChartStyle } from '../../state/chart-choice.ts'
import { setText } from '../dom.ts'
import { element } from './elements.ts'

export type Look = { readonly style: ChartStyle; readonly scale: ChartScale }

export function styleSheet(look: Look, onLook: (look: Look) => void): HTMLElement {
  const { chartTools: words } = TEXTS
  let shown = look
  const change = (changed: Partial<Look>) => {
    shown = { ...shown, ...changed }
    onLook(shown)
  }
  const fields = element('div', { className: 'chart-fields' })
  fields.append(
    choice(CHART_STYLES, {
      chosen: look.style,
      label: () => words.style,
      text: (style) => words.styles[style],
      onChoice: (style) => change({ style }),
    }),
    choice(CHART_SCALES, {
      chosen: look.scale,
      label: () => words.scale,
      text: (scale) => words.scales[scale],
      onChoice: (scale) => change({ scale }),
    }),
  )
  return fields
}

type Choice<Name> = {
  readonly chosen: Name
  readonly label: () => string
  readonly text: (name: Name) => string
  readonly onChoice: (name: Name) => void
}

function choice<Name extends string>(
  names: readonly Name[],
  { chosen, label, text, onChoice }: Choice<Name>,
): HTMLElement {
  const [field, said, select] = [element('label'), element('span'), element('select')]
  const options = names.map((name) => [name, new Option('', name)] as const)
  select.append(...options.map(([, option]) => option))
  onLanguage(() => {
    setText(said, label())
    for (const [name, option] of options) setText(option, text(name))
  })
  select.value = chosen
  select.addEventListener('change', () => {
    const found = names.find((name) => name === select.value)
    if (found !== undefined) onChoice(found)
  })
  field.append(said, select)
  return field
}
