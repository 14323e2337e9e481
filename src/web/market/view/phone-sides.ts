/** On a phone, below chart, book and trades: a button for each side, which opens the form with that side. */
import type { Side } from '../../../client/interface/words.ts'
import { onLanguage, TEXTS } from '../../shared/texts/texts.ts'
import { byId, setText } from './dom.ts'

const SIDES: readonly Side[] = ['BUY', 'SELL']

export class PhoneSides {
  constructor(onSide: (side: Side) => void) {
    const buttons = SIDES.map((side) => {
      const button = document.createElement('button')
      button.type = 'button'
      button.dataset.side = side
      button.addEventListener('click', () => onSide(side))
      return [side, button] as const
    })
    byId('phone-sides', HTMLElement).append(...buttons.map(([, button]) => button))
    onLanguage(() => {
      for (const [side, button] of buttons) setText(button, TEXTS.side[side])
    })
  }
}
