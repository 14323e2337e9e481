/** Elements of the chart's panel, which are created when it is loaded. */
import { onLanguage } from '../../../shared/texts/texts.ts'
import { setText } from '../dom.ts'

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { className = '', id = '', text = '' } = {},
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  if (className !== '') made.className = className
  if (id !== '') made.id = id
  if (text !== '') made.textContent = text
  return made
}

/** `text`: in the current language. */
export function button(text: () => string, onClick: () => void, className = ''): HTMLButtonElement {
  const made = element('button', { className })
  onLanguage(() => setText(made, text()))
  made.type = 'button'
  made.addEventListener('click', onClick)
  return made
}
