/**
 * The operator's commands as the second bookkeeper expects them: which refusals are justified, what must have changed.
 */
import type { Administration } from '../../src/core/exchange/administration.ts'
import type { Command } from '../../src/core/exchange/command.ts'
import type { ExchangeEvent } from '../../src/core/exchange/event.ts'
import { type Applied, type Bucket, demand, type ShadowState } from './shadow-state.ts'

type Of<Kind extends Command['kind']> = Extract<Command, { readonly kind: Kind }>
type OperatorCommand = Exclude<Command, { readonly kind: 'PlaceOrder' | 'CancelOrder' } | Administration>

const AMOUNT_LIMIT = 2n ** 127n - 1n
const TEXT_LIMIT = 200
const RATE_LIMIT = 100_000_000

export function checkOperator(state: ShadowState, applied: Applied, command: OperatorCommand): void {
  const { reply } = applied
  const justified = refusalsOf(state, command)
  if (reply.kind === 'Refused') {
    demand(justified.has(reply.reason), () => `${command.kind} is not to be refused with ${reply.reason}`)
    return
  }
  demand(justified.size === 0, () => `${command.kind} is to be refused: ${[...justified].join(', ')}`)
  take(state, applied, command)
}

/** Reasons whose condition holds. */
function refusalsOf(state: ShadowState, command: OperatorCommand): Set<string> {
  const reasons = new Set<string>()
  const no = (condition: boolean, reason: string): void => {
    if (condition) reasons.add(reason)
  }
  switch (command.kind) {
    case 'ListAsset':
      no(!/^[A-Z0-9]{1,16}$/.test(command.code) || !isText(command.name, 1), 'INVALID_COMMAND')
      no(command.fraction > 18 || !isAmount(command.supplyCap), 'INVALID_COMMAND')
      no(state.assetByCode(command.code) >= 0, 'ASSET_EXISTS')
      break
    case 'SetAssetFlags':
      no(state.assetByCode(command.code) < 0, 'UNKNOWN_ASSET')
      break
    case 'ListSymbol':
      addSymbolRefusals(state, command, no)
      break
    case 'SetSymbolState':
      no(!hasSymbol(state, command.symbol), 'UNKNOWN_SYMBOL')
      break
    case 'SetSymbolRates':
      no(!hasSymbol(state, command.symbol), 'UNKNOWN_SYMBOL')
      no(command.makerRate >= RATE_LIMIT || command.takerRate >= RATE_LIMIT, 'INVALID_COMMAND')
      break
    case 'CreateAccount':
      no(!isText(command.name, 1) || command.name.includes(':'), 'INVALID_COMMAND')
      no(
        state.accounts.some(({ name }) => name === command.name),
        'ACCOUNT_EXISTS',
      )
      break
    case 'CreateApiKey':
      addKeyRefusals(state, command, no)
      break
    case 'SetApiKeyEnabled':
      no(!state.keys.has(command.apiKey), 'UNKNOWN_API_KEY')
      break
    case 'SetRulesVersion':
      no(command.version !== state.rules, 'UNKNOWN_RULES_VERSION')
      break
    default:
      addMoneyRefusals(state, command, no)
  }
  return reasons
}

type No = (condition: boolean, reason: string) => void

function addSymbolRefusals(state: ShadowState, command: Of<'ListSymbol'>, no: No): void {
  const { terms } = command
  const base = state.assetByCode(command.base)
  const quote = state.assetByCode(command.quote)
  no(base < 0 || quote < 0, 'UNKNOWN_ASSET')
  no(hasSymbol(state, `${command.base}/${command.quote}`), 'SYMBOL_EXISTS')
  no(base === quote, 'INVALID_COMMAND')
  no(terms.baseFraction > (state.assets[base]?.fraction ?? 18), 'INVALID_COMMAND')
  no(terms.quoteFraction > (state.assets[quote]?.fraction ?? 18), 'INVALID_COMMAND')
  no(terms.makerRate >= RATE_LIMIT || terms.takerRate >= RATE_LIMIT, 'INVALID_COMMAND')
  no(!isAmount(terms.minTotal) || terms.openOrdersMax < 1 || terms.levelsMax < 1, 'INVALID_COMMAND')
}

function addKeyRefusals(state: ShadowState, command: Of<'CreateApiKey'>, no: No): void {
  no(state.accounts[command.accountId] === undefined, 'UNKNOWN_ACCOUNT')
  no(state.keys.has(command.apiKey), 'API_KEY_EXISTS')
  no(!state.isTrader(command.accountId) || !isText(command.apiKey, 1), 'INVALID_COMMAND')
  no(command.sealedSecret.length < 1 || command.sealedSecret.length > 1024, 'INVALID_COMMAND')
  no(!isText(command.label, 0) || command.addresses.length > 100, 'INVALID_COMMAND')
  no(
    command.addresses.some((address) => !isText(address, 1)),
    'INVALID_COMMAND',
  )
}

type MoneyCommand = Of<'Credit' | 'Debit' | 'MoveBetweenBuckets'>

function addMoneyRefusals(state: ShadowState, command: MoneyCommand, no: No): void {
  const { accountId, amount, reference } = command
  const asset = state.assetByCode(command.asset)
  no(asset < 0, 'UNKNOWN_ASSET')
  no(state.accounts[accountId] === undefined, 'UNKNOWN_ACCOUNT')
  no(!state.isTrader(accountId), 'INVALID_COMMAND')
  no(amount < 1n || amount > AMOUNT_LIMIT || !isText(reference, 1), 'INVALID_COMMAND')
  no(command.kind === 'MoveBetweenBuckets' && command.from === command.to, 'INVALID_COMMAND')
  if (asset < 0 || !state.isTrader(accountId)) return
  const known = state.references.get(reference)
  if (known !== undefined) {
    no(known !== transferOf(command), 'REFERENCE_CONFLICT')
    return
  }
  if (command.kind === 'Credit') {
    const cap = state.assets[asset]?.cap ?? 0n
    const inside = -state.buckets(asset, 0).free
    no(inside + amount > (cap > 0n ? cap : AMOUNT_LIMIT), 'SUPPLY_LIMIT')
  } else {
    const bucket = command.kind === 'Debit' ? 'free' : command.from
    no(state.buckets(asset, accountId)[bucket] < amount, 'INSUFFICIENT_FUNDS')
  }
}

/** Changes the state as the command asks, and checks that answer and events say so. */
function take(state: ShadowState, applied: Applied, command: OperatorCommand): void {
  const { reply, events } = applied
  switch (command.kind) {
    case 'ListAsset':
      demand(reply.kind === 'AssetListed' && reply.assetId === state.assets.length, 'asset ids count up')
      state.assets.push({
        code: command.code,
        fraction: command.fraction,
        cap: command.supplyCap,
        flags: command.flags,
        held: [],
      })
      expectKinds(events, ['AssetChanged'])
      break
    case 'SetAssetFlags':
      ;(state.assets[state.assetByCode(command.code)] as { flags: unknown }).flags = command.flags
      expectKinds(events, ['AssetChanged'])
      break
    case 'ListSymbol':
      listSymbol(state, applied, command)
      break
    case 'SetSymbolState':
      symbolOf(state, command.symbol).isTrading = command.state === 'TRADING'
      expectKinds(events, ['SymbolChanged'])
      break
    case 'SetSymbolRates': {
      const symbol = symbolOf(state, command.symbol)
      symbol.makerRate = BigInt(command.makerRate)
      symbol.takerRate = BigInt(command.takerRate)
      expectKinds(events, ['SymbolChanged'])
      break
    }
    case 'CreateAccount':
      demand(
        reply.kind === 'AccountOpened' && reply.accountId === state.accounts.length,
        () => `account ids count up: expected ${state.accounts.length}`,
      )
      state.accounts.push({ name: command.name, isTrader: true })
      expectKinds(events, ['AccountCreated'])
      break
    case 'CreateApiKey':
      state.keys.set(command.apiKey, { account: command.accountId, enabled: true })
      expectKinds(events, ['ApiKeyChanged'])
      break
    case 'SetApiKeyEnabled':
      ;(state.keys.get(command.apiKey) as { enabled: boolean }).enabled = command.enabled
      expectKinds(events, ['ApiKeyChanged'])
      break
    case 'SetRulesVersion':
      expectKinds(events, [])
      break
    default:
      takeMoney(state, applied, command)
  }
}

function takeMoney(state: ShadowState, { reply, events }: Applied, command: MoneyCommand): void {
  const { accountId, amount, reference } = command
  const isRepeated = state.references.has(reference)
  demand(
    reply.kind === 'Done' && reply.repeated === isRepeated,
    () => `reference ${reference} takes effect once: expected repeated ${isRepeated}`,
  )
  if (isRepeated) {
    expectKinds(events, [])
    return
  }
  state.references.set(reference, transferOf(command))
  const asset = state.assetByCode(command.asset)
  const outside: readonly [number, Bucket] = [0, 'free']
  if (command.kind === 'Credit') state.move(asset, outside, [accountId, 'free'], amount)
  else if (command.kind === 'Debit') state.move(asset, [accountId, 'free'], outside, amount)
  else state.move(asset, [accountId, command.from], [accountId, command.to], amount)
  if (command.kind === 'MoveBetweenBuckets') {
    expectKinds(events, [])
    return
  }
  expectKinds(events, ['ExternalTransfer'])
  const [event] = events
  const moved = command.kind === 'Credit' ? amount : -amount
  demand(event?.kind === 'ExternalTransfer' && event.amount === moved, 'the event tells the amount moved')
}

function listSymbol(state: ShadowState, { reply, events }: Applied, command: Of<'ListSymbol'>): void {
  const { base, quote, terms } = command
  demand(reply.kind === 'SymbolListed' && reply.symbolId === state.symbols.length, 'symbol ids count up')
  const name = `${base}/${quote}`
  state.symbols.push({
    id: state.symbols.length,
    name,
    base: state.assetByCode(base),
    quote: state.assetByCode(quote),
    baseFraction: terms.baseFraction,
    quoteFraction: terms.quoteFraction,
    minTotal: terms.minTotal,
    minQuantity: terms.minQuantity,
    selfTradeMode: terms.selfTradeMode,
    openOrdersMax: terms.openOrdersMax,
    levelsMax: terms.levelsMax,
    roundingAccount: state.accounts.length,
    makerRate: BigInt(terms.makerRate),
    takerRate: BigInt(terms.takerRate),
    isTrading: true,
    book: { BUY: [], SELL: [] },
  })
  state.accounts.push({ name: `rounding:${name}`, isTrader: false })
  expectKinds(events, ['AccountCreated', 'SymbolChanged'])
}

function expectKinds(events: readonly ExchangeEvent[], kinds: readonly ExchangeEvent['kind'][]): void {
  const found = events.map(({ kind }) => kind)
  demand(found.join() === kinds.join(), () => `expected the events [${kinds}], found [${found}]`)
}

function transferOf(command: MoneyCommand): string {
  const { accountId, asset, amount } = command
  if (command.kind === 'Credit') return `outside.free ${accountId}.free ${asset} ${amount}`
  if (command.kind === 'Debit') return `${accountId}.free outside.free ${asset} ${amount}`
  return `${accountId}.${command.from} ${accountId}.${command.to} ${asset} ${amount}`
}

function hasSymbol(state: ShadowState, name: string): boolean {
  return state.symbols.some((symbol) => symbol.name === name)
}

function symbolOf(state: ShadowState, name: string) {
  const symbol = state.symbols.find((each) => each.name === name)
  demand(symbol !== undefined, () => `symbol ${name} exists`)
  return symbol
}

function isText(text: string, least: number): boolean {
  return text.length >= least && text.length <= TEXT_LIMIT && text.isWellFormed()
}

function isAmount(units: bigint): boolean {
  return units >= 0n && units <= AMOUNT_LIMIT
}
