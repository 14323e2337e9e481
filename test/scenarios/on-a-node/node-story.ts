/**
 * Plays a story written in text on a real node, over its HTTP interface, and compares the result with the
 * story. One line is one step; its answer follows `=>`:
 *
 *     last 100                                   the price of the last trade, before any other order
 *     s: ann sells 5 at 102 => NEW               an order (`order-line.ts`), named `s`: its state and fills, or why it was refused
 *     ben buys 2 at 102, IOC => FILLED: 2 at 102
 *     p: ann oco side=SELL quantity=5 ... => placed    a list, its orders named `p.above`, `p.below`, `p.working`, `p.pending`
 *     ann amends s to 3 => NEW, rests, 0 of 3
 *     ann replaces s by t: ann sells 5 at 101 => both  or `canceled, REASON`, or the reason why nothing was done
 *     ann cancels s => done                      `ann cancels all => 2` cancels all orders of the symbol
 *     s is CANCELED by USER, 0 of 5              the state of an order; an open one `rests` or `waits`
 *     book ask 5 at 102, bid 1 at 99             or `book empty`
 *     ann holds 5 BTC, 300 USDT                  or `ann holds nothing`
 *
 * Every read waits for its fact: the exchange carries out due commands by itself, after the answer that made
 * them due.
 */
import { expect } from 'bun:test'
import type { Answer, Client } from '../../acceptance/support/client.ts'
import type { Exact } from '../../acceptance/support/exact-json.ts'
import { WAIT_MS_MAX } from '../../support/until.ts'
import { parseOrder } from './order-line.ts'

const PAUSE_MS = 5
const SYMBOL = { symbol: 'BTC/USDT' }
const ORDER = '/api/v3/order'
const NAMED = /^(?:([\w.]+): )?(.*)$/
const LIST = /^(\w+) (oco|oto|otoco) (.*)$/
const AMEND = /^(\w+) amends ([\w.]+) to (.+)$/
const REPLACE = /^(\w+) replaces ([\w.]+) by (.+)$/
const CANCEL = /^(\w+) cancels ([\w.]+)$/
const IS = /^([\w.]+) is (.+)$/
const HOLDS = /^(\w+) holds (.+)$/
const ROLES = { oco: ['above', 'below'], oto: ['working', 'pending'], otoco: ['working', 'above', 'below'] }

export type Traders = Readonly<Record<string, Client>>

/** Plays a story; throws if the exchange behaves differently. Leaves no orders behind. */
export async function tell(traders: Traders, text: string): Promise<void> {
  const story = new NodeStory(traders)
  const lines = text.split('\n').map((line) => line.trim().replaceAll(/ +/g, ' '))
  try {
    for (const line of lines.filter((each) => each !== '')) await story.step(line)
  } finally {
    await story.end()
  }
}

class NodeStory {
  readonly #traders: Traders
  readonly #orders = new Map<string, { readonly id: string; readonly owner: Client }>()

  constructor(traders: Traders) {
    this.#traders = traders
  }

  async step(line: string): Promise<void> {
    const [said = '', wanted] = line.split(' => ')
    if (wanted === undefined) return this.#look(said)
    expect({ [said]: await this.#act(said) }).toEqual({ [said]: wanted })
  }

  async end(): Promise<void> {
    for (const client of Object.values(this.#traders)) await cancelAll(client)
    for (const [who, client] of Object.entries(this.#traders)) {
      await this.#sees(`orders of ${who} are left`, async () => `${(await client.active()).length}`, '0')
    }
  }

  async #act(said: string): Promise<string> {
    const amend = AMEND.exec(said)
    if (amend !== null) return this.#amend(amend)
    const replace = REPLACE.exec(said)
    if (replace !== null) return this.#replace(replace)
    const cancel = CANCEL.exec(said)
    if (cancel !== null) return this.#cancel(cancel)
    const [, name, what = ''] = NAMED.exec(said) ?? []
    const list = LIST.exec(what)
    return list === null ? this.#place(name, what) : this.#placeList(name, list)
  }

  async #look(said: string): Promise<void> {
    const [, price] = /^last (.+)$/.exec(said) ?? []
    if (price !== undefined) return this.#trade(price)
    const [, name = '', state] = IS.exec(said) ?? []
    if (state !== undefined) return this.#sees(said, () => this.#stateOf(name), state)
    const [, who = '', money] = HOLDS.exec(said) ?? []
    if (money !== undefined) return this.#sees(said, () => heldBy(this.#client(who)), money)
    const [, book] = /^book (.+)$/.exec(said) ?? []
    if (book === undefined) throw new Error(`no line of a story: ${said}`)
    return this.#sees(said, () => bookOf(this.#client('ann')), book)
  }

  /**
   * Everything that was due before this read has been carried out when the read is answered: due commands
   * precede the command that is sent first here.
   */
  async #sees(said: string, read: () => Promise<string>, wanted: string): Promise<void> {
    await this.#client('ann').ask('POST', '/api/v3/countdownCancelAll', { countdownTime: 0 })
    const end = performance.now() + WAIT_MS_MAX
    let seen = await read()
    while (seen !== wanted && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      seen = await read()
    }
    expect({ [said]: seen }).toEqual({ [said]: wanted })
  }

  async #trade(price: string): Promise<void> {
    for (const verb of ['sells', 'buys']) await this.#place(undefined, `ann ${verb} 0.1 at ${price}`)
  }

  async #place(name: string | undefined, what: string): Promise<string> {
    const line = parseOrder(what, Date.now())
    if (line === undefined) throw new Error(`no order: ${what}`)
    const owner = this.#client(line.who)
    const answer = await owner.request('POST', ORDER, { ...line.fields, newOrderRespType: 'FULL' })
    if (answer.status !== 200) return reasonOf(answer)
    this.#keep(name, answer.body.data.id, owner)
    return outcomeOf(answer.body.data)
  }

  async #placeList(name: string | undefined, [, who = '', kind = '', words = '']: string[]): Promise<string> {
    const owner = this.#client(who)
    const fields = Object.fromEntries(words.split(' ').map((word) => word.split('=')))
    const answer = await owner.request('POST', `/api/v3/orderList/${kind}`, { ...SYMBOL, ...fields })
    if (answer.status !== 200) return reasonOf(answer)
    const roles = ROLES[kind as keyof typeof ROLES]
    for (const [i, role] of roles.entries())
      this.#keep(`${name}.${role}`, answer.body.data.orders[i].id, owner)
    return 'placed'
  }

  async #amend([, who = '', name = '', newQty = '']: string[]): Promise<string> {
    const { id } = this.#order(name)
    const fields = { orderId: id, newQty }
    const answer = await this.#client(who).request('PUT', '/api/v3/order/amend/keepPriority', fields)
    return answer.status === 200 ? stateIn(answer.body.data) : reasonOf(answer)
  }

  async #replace([, who = '', name = '', by = '']: string[]): Promise<string> {
    const { id } = this.#order(name)
    const [, named, what = ''] = NAMED.exec(by) ?? []
    const line = parseOrder(what, Date.now())
    if (line === undefined || line.who !== who) throw new Error(`no replacement: ${by}`)
    const mode = { cancelReplaceMode: 'STOP_ON_FAILURE', cancelId: id }
    const answer = await this.#client(who).request('POST', '/api/v3/order/cancelReplace', {
      ...mode,
      ...line.fields,
    })
    const { data } = answer.body
    if (answer.status === 409) return `canceled, ${data.newOrderResponse.reason}`
    if (answer.status !== 200) return reasonOf(answer)
    this.#keep(named, data.newOrderResponse.data.id, this.#client(who))
    return 'both'
  }

  async #cancel([, who = '', name = '']: string[]): Promise<string> {
    const client = this.#client(who)
    if (name === 'all') return cancelAll(client)
    const answer = await client.request('DELETE', ORDER, { id: this.#order(name).id })
    return answer.status === 200 ? 'done' : reasonOf(answer)
  }

  async #stateOf(name: string): Promise<string> {
    const { id, owner } = this.#order(name)
    return stateIn((await owner.ask('GET', ORDER, { orderId: id })).data)
  }

  #keep(name: string | undefined, id: string, owner: Client): void {
    if (name !== undefined) this.#orders.set(name, { id, owner })
  }

  #order(name: string): { readonly id: string; readonly owner: Client } {
    const order = this.#orders.get(name)
    if (order === undefined) throw new Error(`no order of this story: ${name}`)
    return order
  }

  #client(name: string): Client {
    const client = this.#traders[name]
    if (client === undefined) throw new Error(`nobody of this story: ${name}`)
    return client
  }
}

const reasonOf = ({ body }: Answer): string => body.reason

/** `CANCELED: 2 at 100, 1 at 101` */
function outcomeOf({ status, fills }: Exact): string {
  const each = fills.map(({ quantity, price }: Exact) => `${quantity} at ${price}`)
  return each.length === 0 ? status : `${status}: ${each.join(', ')}`
}

/** `NEW, rests, 0 of 5`; for an order with only a total `FILLED, 3 for 300`. */
function stateIn({ status, endReason, isWorking, executedQuantity, quantity, total }: Exact): string {
  const end = endReason === undefined ? status : `${status} by ${endReason}`
  const place = isWorking === undefined ? end : `${end}, ${isWorking ? 'rests' : 'waits'}`
  return `${place}, ${executedQuantity} ${quantity === undefined ? `for ${total}` : `of ${quantity}`}`
}

async function cancelAll(client: Client): Promise<string> {
  const { data } = await client.ask('DELETE', '/api/v3/openOrders', { scope: 'SYMBOL', ...SYMBOL })
  return data.canceled.slice(1)
}

async function bookOf(client: Client): Promise<string> {
  const { sell, buy } = await client.depth(SYMBOL.symbol)
  const levels = ([word, side]: [string, Exact]) =>
    Object.entries<string>(side)
      .map(([price, quantity]) => ({ word, price: Number(price), quantity: quantity.slice(1) }))
      .toSorted((a, b) => (word === 'ask' ? a.price - b.price : b.price - a.price))
  const all = [...levels(['ask', sell]), ...levels(['bid', buy])]
  return all.map(({ word, price, quantity }) => `${word} ${quantity} at ${price}`).join(', ') || 'empty'
}

async function heldBy(client: Client): Promise<string> {
  const balances = await client.balances()
  const held = ['BTC', 'USDT'].filter((asset) => balances[asset].locked !== '0')
  return held.map((asset) => `${balances[asset].locked} ${asset}`).join(', ') || 'nothing'
}
