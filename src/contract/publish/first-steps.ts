/**
 * The first part of the reference: the signature of a request, and a first order, as programs in several
 * languages.
 */
import { SANDBOX } from '../sandbox-address.ts'
import { html, type Markup } from './markup.ts'

/** A program that signs a request and places an order, in one language. */
export type FirstProgram = {
  /** Part of an id: `shell`. */
  readonly id: string
  /** The name for readers: `curl`. */
  readonly language: string
  /** A line that ends with `ORDER_MARK` separates the signature from the order. */
  readonly text: string
}

/** The end of the comment line between the signature and the order, in every program. */
const ORDER_MARK = 'An order, then the open orders.'

export const FIRST_STEPS = [
  ['authentication', 'Authentication'],
  ['first-order', 'Your first order'],
] as const

export function firstSteps(programs: readonly FirstProgram[]): Markup {
  const [authentication, order] = FIRST_STEPS
  return html`<section id="${authentication[0]}"><h2>${authentication[1]}</h2>
<p>Public data needs a key or nothing; orders and money need a key and a signature. Each endpoint below names its security.</p>
<ol><li>A sandbox has keys of <code>alice</code> and <code>bob</code> in <code>data/sandbox/sandbox.json</code>. On any other exchange the operator gives you a key and its secret.</li>
<li>Add <code>timestamp</code>, the time in milliseconds, to the parameters. A request is valid for five seconds (<code>recvWindow</code>).</li>
<li>Sign the raw query string followed by the raw body, exactly as sent: HMAC-SHA256 with the secret, in hexadecimal digits or base64.</li>
<li>Send the key in the header <code>X-Apikey</code> and the signature in <code>X-Signature</code>.</li></ol>
${programTabs('sign', programs, signingOf)}
<p>Is a signature refused? <a href="#signatureCheck"><code>POST /signature/check</code></a> shows what was signed and what differs.
Is the timestamp refused? <a href="#TIMESTAMP_EXPIRED"><code>TIMESTAMP_EXPIRED</code></a> and <a href="#TIMESTAMP_AHEAD"><code>TIMESTAMP_AHEAD</code></a> give the difference in milliseconds.</p></section>
<section id="${order[0]}"><h2>${order[1]}</h2>
<p>Set the address and the key, then run one of the programs. It places a limit order to buy 0.01 BTC at 60,000 USDT (<a href="#newOrder"><code>POST /order</code></a>) and prints your open orders
(<a href="#activeOrders"><code>GET /order/active</code></a>). To try an order without placing it: <a href="#testOrder"><code>POST /order/test</code></a>.</p>
<pre>export BOURSE_URL=<span data-origin>${SANDBOX}</span>
export BOURSE_KEY=...
export BOURSE_SECRET=...</pre>
${programTabs('order', programs, ({ text }) => text)}</section>
`
}

/** The program up to its order. */
function signingOf({ language, text }: FirstProgram): string {
  const lines = text.split('\n')
  const end = lines.findIndex((line) => line.endsWith(ORDER_MARK))
  if (end < 0)
    throw new Error(`expected a line that ends with '${ORDER_MARK}' in the program for ${language}`)
  return lines.slice(0, end).join('\n').trim()
}

/** Tabs without a script: radio buttons, with the chosen program displayed. */
function programTabs(
  name: string,
  programs: readonly FirstProgram[],
  textOf: (program: FirstProgram) => string,
): Markup {
  const choices = programs.map(({ id, language }, place) => {
    const input = html`<input type="radio" name="${name}" id="${name}-${id}" value="${id}"`
    return html`${input}${place === 0 ? html` checked` : undefined}><label for="${name}-${id}">${language}</label>`
  })
  const texts = programs.map((program) => html`<pre tabindex="0">${textOf(program)}</pre>`)
  return html`<fieldset class="programs"><legend>Language</legend>${choices}${texts}</fieldset>`
}
