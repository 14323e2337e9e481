/** Elements of the chart's panel, which are made when it is loaded. */

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

export function button(text: string, onClick: () => void, className = ''): HTMLButtonElement {
  const made = element('button', { text, className })
  made.type = 'button'
  made.addEventListener('click', onClick)
  return made
}
