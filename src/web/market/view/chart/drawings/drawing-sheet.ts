/**
 * The sheet that starts a drawing, with the lists of drawings in this market and of all price alerts: each
 * can be chosen or removed without a pointer.
 */
import { groupedText } from '../../../../shared/grouped-text.ts'
import { pageNotifications } from '../../../../shared/notifications.ts'
import { onLanguage, TEXTS } from '../../../../shared/texts/texts.ts'
import type { Drawing } from '../../../state/drawings.ts'
import type { PriceAlert } from '../../../state/price-alerts.ts'
import { setText } from '../../dom.ts'
import { element } from '../elements.ts'

export const TOOLS = ['TREND', 'LEVEL'] as const

export type Tool = (typeof TOOLS)[number]

export type DrawingSheetOptions = {
  readonly drawings: () => readonly Drawing[]
  readonly alerts: () => readonly PriceAlert[]
  readonly priceText: (price: number) => string
  readonly onTool: (tool: Tool) => void
  readonly onPrice: () => void
  readonly onSelect: (id: number) => void
  readonly onDelete: (id: number) => void
  readonly onRemoveAlert: (id: number) => void
}

export class DrawingSheet {
  readonly element = element('div', { className: 'chart-fields' })
  readonly #options: DrawingSheetOptions
  /** The switch for alerts through the browser: the only one in this sheet that asks for its permission. */
  readonly #notify = element('div')
  readonly #switch = element('input')
  readonly #problem = element('p', { className: 'chart-problem' })

  constructor(options: DrawingSheetOptions) {
    this.#options = options
    this.#makeSwitch()
    onLanguage(() => this.show())
  }

  /** Called when the lists change. */
  show(): void {
    const { drawings: words } = TEXTS
    const hadFocus = this.element.contains(document.activeElement)
    const tools = element('div', { className: 'chart-adders' })
    const { onTool, onPrice } = this.#options
    for (const tool of TOOLS) tools.append(button(words.tools[tool], words.tools[tool], () => onTool(tool)))
    tools.append(button(words.atPrice, words.atPrice, onPrice))
    this.element.replaceChildren(
      tools,
      ...list(
        words.drawn,
        this.#options.drawings().map((drawing) => this.#drawn(drawing)),
      ),
      ...list(
        words.alerts,
        this.#options.alerts().map((alert) => this.#alert(alert)),
      ),
      ...(this.#options.alerts().length === 0 ? [] : [this.#notify]),
    )
    if (hadFocus) this.element.querySelector('button')?.focus()
  }

  #makeSwitch(): void {
    const notifications = pageNotifications()
    const [label, text] = [element('label', { className: 'trade-check' }), element('span')]
    onLanguage(() => {
      setText(text, TEXTS.notices.notify)
      setText(this.#problem, '')
    })
    this.#switch.type = 'checkbox'
    this.#problem.role = 'alert'
    label.append(this.#switch, text)
    this.#notify.append(label, this.#problem)
    const show = () => {
      this.#switch.checked = notifications.isOn
    }
    this.#switch.addEventListener('change', () => {
      void notifications.set(this.#switch.checked).then((isDone) => {
        setText(this.#problem, isDone ? '' : TEXTS.notices.notAllowed)
        show()
      })
    })
    notifications.watch(show)
    show()
  }

  #drawn(drawing: Drawing): HTMLElement {
    const { drawings: words } = TEXTS
    const { priceText, onSelect, onDelete } = this.#options
    const name =
      drawing.kind === 'LEVEL'
        ? words.level(priceText(drawing.price))
        : words.trend(priceText(drawing.from.price), priceText(drawing.to.price))
    const item = element('li')
    item.append(
      button(name, words.select(name), () => onSelect(drawing.id)),
      button('×', words.remove(name), () => onDelete(drawing.id)),
    )
    return item
  }

  #alert({ id, market, price }: PriceAlert): HTMLElement {
    const { drawings: words } = TEXTS
    const name = words.alert(market, groupedText(price))
    const item = element('li')
    item.append(
      element('span', { text: name }),
      button('×', words.remove(name), () => this.#options.onRemoveAlert(id)),
    )
    return item
  }
}

function list(title: string, items: readonly HTMLElement[]): readonly HTMLElement[] {
  if (items.length === 0) return []
  const made = element('ul', { className: 'chart-drawn' })
  made.ariaLabel = title
  made.append(...items)
  return [element('h3', { text: title }), made]
}

function button(text: string, name: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', { text })
  made.type = 'button'
  if (name !== text) made.ariaLabel = name
  made.addEventListener('click', onClick)
  return made
}
