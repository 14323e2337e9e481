/** Trading and market data without this page: commands that fit the current node and symbol. */
import { fixedDecimal } from '../../../units/decimal.ts'
import { onLanguage, TEXTS } from '../../shared/texts/texts.ts'
import type { MarketState } from '../state/market-state.ts'
import { byId, setText } from './dom.ts'

const COPIED_MS = 1_600

export class GuideView {
  readonly #snippet = byId('snippet', HTMLElement)
  readonly #join = byId('stream-join', HTMLElement)
  #shownFor = ''

  constructor() {
    setText(byId('stream-address', HTMLElement), location.origin.replace(/^http/, 'ws'))
    this.#show('BTC/USDT', '0.01', '1')
    this.#offerCopying()
  }

  /**
   * The example's price stays as it was when the symbol was first shown: text to be copied must not change.
   */
  render({ symbol, book, tape, hasBook }: MarketState): void {
    const shownFor = `${symbol.name} ${hasBook}`
    if (shownFor === this.#shownFor) return
    this.#shownFor = shownFor
    const price = book.bestBid?.ticks ?? tape.last?.price ?? book.bestAsk?.ticks
    const priceText = price === undefined ? '1' : fixedDecimal(price, symbol.quoteFraction)
    const quantity = symbol.baseFraction < 2 ? '1' : '0.01'
    this.#show(symbol.name, quantity, priceText)
  }

  #show(symbol: string, quantity: string, price: string): void {
    setText(this.#snippet, orderCommands(location.origin, symbol, quantity, price))
    setText(this.#join, JSON.stringify(['join', symbol]))
  }

  /** The clipboard exists only if the page was loaded securely (HTTPS, or from this machine). */
  #offerCopying(): void {
    const { clipboard } = navigator as { readonly clipboard?: Clipboard }
    if (clipboard === undefined) return
    const button = byId('copy', HTMLButtonElement)
    button.hidden = false
    let timer: number | undefined
    const offer = () => setText(button, TEXTS.guide.copy)
    onLanguage(offer)
    const say = (text: string) => {
      setText(button, text)
      window.clearTimeout(timer)
      timer = window.setTimeout(offer, COPIED_MS)
    }
    button.addEventListener('click', () => {
      clipboard.writeText(this.#snippet.textContent ?? '').then(
        () => say(TEXTS.guide.copied),
        () => say(TEXTS.guide.notAllowed),
      )
    })
  }
}

/**
 * The commands need only a POSIX shell with openssl and curl. They read the sandbox's key file in its own
 * format.
 */
function orderCommands(origin: string, symbol: string, quantity: string, price: string): string {
  return `CREDENTIALS=data/sandbox/sandbox.json
KEY=$(sed -n 's/.*"apiKey": "\\(.*\\)".*/\\1/p' \\
  "$CREDENTIALS" | head -n 1)
SECRET=$(sed -n 's/.*"secret": "\\(.*\\)".*/\\1/p' \\
  "$CREDENTIALS" | head -n 1)

BODY="symbol=${symbol}&side=BUY&type=LIMIT"
BODY="$BODY&quantity=${quantity}&price=${price}"
BODY="$BODY&timestamp=$(date +%s)000"
SIGNATURE=$(printf %s "$BODY" |
  openssl dgst -sha256 -hmac "$SECRET" |
  sed 's/.* //')

curl -sS -w '\\n' ${origin}/api/v3/order \\
  -H "X-Apikey: $KEY" \\
  -H "X-Signature: $SIGNATURE" \\
  --data "$BODY"`
}
