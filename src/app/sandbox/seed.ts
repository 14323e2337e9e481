/**
 * Brings a node to the sandbox's initial state. Every step first checks for existing results, so that a start
 * after a crash in the middle completes the missing steps and a start on old data journals nothing.
 */
import type { Command } from '../../core/commands/command.ts'
import type { Operator } from '../../core/commands/operator.ts'
import { KEY_RULES } from '../../core/exchange/rules.ts'
import { parseDecimal } from '../../units/decimal.ts'
import { invariant } from '../../units/invariant.ts'
import { DEFAULT_PERMISSIONS, type SelfTradeMode } from '../../units/order-enums.ts'
import {
  amount as amountOf,
  type Decimals,
  decimals,
  NO_AMOUNT,
  NO_LOTS,
  RATE_DECIMALS,
  rate,
  type TimeMs,
} from '../../units/quantities.ts'
import type { Node } from '../node/running-node.ts'
import { CREDENTIALS_FILE, type Credentials } from './credentials.ts'
import {
  SANDBOX_ASSETS,
  SANDBOX_FUNDING,
  SANDBOX_LEVELS_MAX,
  SANDBOX_OPEN_ORDERS_MAX,
  SANDBOX_RATE,
  SANDBOX_SELF_TRADE_MODE,
  SANDBOX_SYMBOLS,
} from './market.ts'

const OPERATOR: Operator = { actor: 'sandbox', note: 'set-up' }
/** The expiry of a key that never expires. */
const NEVER = 0 as TimeMs

/**
 * A sandbox cannot be set up: a step was refused that must succeed, its keys differ, or the directory is not
 * that of a sandbox.
 */
export class SandboxFault extends Error {
  override readonly name = 'SandboxFault'
}

type Seeded = Pick<Node, 'engine' | 'views' | 'secretBox'>

export type Seed = {
  readonly accounts: readonly Credentials[]
  /** Keys of the same accounts for clients of Binance. */
  readonly ofBinance: readonly Credentials[]
  /** The self-trade prevention with which symbols are listed. */
  readonly selfTradeMode?: SelfTradeMode | undefined
}

/**
 * Assets, symbols, accounts, their money and then their keys. Resolves when all of it is durable. Throws
 * `SandboxFault`.
 */
export async function seedSandbox(
  node: Seeded,
  { accounts, ofBinance, selfTradeMode = SANDBOX_SELF_TRADE_MODE }: Seed,
): Promise<void> {
  const { registry } = node.views.market
  for (const asset of SANDBOX_ASSETS) {
    if (registry.assetByCode(asset.code) === undefined) await run(node, listAsset(asset))
  }
  for (const symbol of SANDBOX_SYMBOLS) {
    const name = `${symbol.base}/${symbol.quote}`
    if (registry.symbolByName(name) === undefined) await run(node, listSymbol(symbol, selfTradeMode))
  }
  for (const { name } of accounts) {
    if (node.views.accounts.accountByName(name) === undefined) {
      await run(node, { kind: 'CreateAccount', operator: OPERATOR, name })
    }
  }
  const keyless = accounts.filter((credentials) => !hasKey(node, credentials))
  // Keys come last: an account that has its key has also received its money.
  for (const { name } of keyless) {
    for (const { asset, amount } of SANDBOX_FUNDING) await run(node, credit(node, name, asset, amount))
  }
  for (const { name, apiKey, secret } of keyless) {
    await run(node, {
      kind: 'CreateApiKey',
      operator: OPERATOR,
      accountId: accountIdOf(node, name),
      apiKey,
      sealedSecret: node.secretBox.seal(secret, apiKey),
      permissions: DEFAULT_PERMISSIONS,
      addresses: [],
      label: 'sandbox',
    })
  }
  await seedBinanceKeys(node, ofBinance)
}

/** An exchange under older rules has no such keys. */
async function seedBinanceKeys(node: Seeded, credentials: readonly Credentials[]): Promise<void> {
  if (node.views.backOffice.rulesVersion < KEY_RULES) return
  const missing = credentials.filter((each) => !hasKey(node, each))
  for (const { name, apiKey, secret } of missing) {
    await run(node, {
      kind: 'AddApiKey',
      operator: OPERATOR,
      accountId: accountIdOf(node, name),
      apiKey,
      keyKind: 'HMAC',
      material: node.secretBox.seal(secret, apiKey),
      wire: 'BINANCE',
      permissions: DEFAULT_PERMISSIONS,
      addresses: [],
      label: 'sandbox, clients of Binance',
      expiresAt: NEVER,
      strictSignature: false,
    })
  }
}

/** Whether the exchange has the key; throws when it has it with another secret or for another account. */
function hasKey(node: Seeded, { name, apiKey, secret }: Credentials): boolean {
  const known = node.views.market.registry.apiKey(apiKey)
  if (known === undefined) return false
  const isSame =
    known.accountId === accountIdOf(node, name) && node.secretBox.open(known.sealedSecret, apiKey) === secret
  if (isSame) return true
  throw new SandboxFault(
    `${CREDENTIALS_FILE}: the account or the secret of key ${apiKey} does not match the exchange (account ` +
      `${name} in the file): restore the file, or delete it, and the accounts get additional keys`,
  )
}

async function run({ engine }: Seeded, command: Command): Promise<void> {
  const reply = await engine.submit(command)
  if (reply.kind === 'Refused') {
    throw new SandboxFault(`the sandbox cannot be set up: ${command.kind} was refused (${reply.reason})`)
  }
}

function accountIdOf(node: Seeded, name: string) {
  const account = node.views.accounts.accountByName(name)
  invariant(account !== undefined, () => `account ${name} was created and is not in the view`)
  return account.id
}

function listAsset({ code, name, fraction }: (typeof SANDBOX_ASSETS)[number]): Command {
  return {
    kind: 'ListAsset',
    operator: OPERATOR,
    code,
    name,
    fraction: decimals(fraction),
    flags: { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: true },
    supplyCap: NO_AMOUNT,
  }
}

function listSymbol(symbol: (typeof SANDBOX_SYMBOLS)[number], selfTradeMode: SelfTradeMode): Command {
  const commission = rate(Number(exactly(SANDBOX_RATE, decimals(RATE_DECIMALS))))
  return {
    kind: 'ListSymbol',
    operator: OPERATOR,
    base: symbol.base,
    quote: symbol.quote,
    terms: {
      baseFraction: decimals(symbol.baseFraction),
      quoteFraction: decimals(symbol.quoteFraction),
      makerRate: commission,
      takerRate: commission,
      minTotal: NO_AMOUNT,
      minQuantity: NO_LOTS,
      selfTradeMode,
      openOrdersMax: SANDBOX_OPEN_ORDERS_MAX,
      levelsMax: SANDBOX_LEVELS_MAX,
    },
  }
}

/** The reference makes a second credit a no-op, at whatever point the first was interrupted. */
function credit(node: Seeded, account: string, code: string, amount: string): Command {
  const asset = node.views.market.registry.assetByCode(code)
  invariant(asset !== undefined, () => `asset ${code} was listed and is not in the view`)
  return {
    kind: 'Credit',
    operator: OPERATOR,
    accountId: accountIdOf(node, account),
    asset: code,
    amount: amountOf(exactly(amount, asset.fraction)),
    reference: `sandbox:${account}:${code}`,
  }
}

function exactly(text: string, places: Decimals): bigint {
  const units = parseDecimal(text, places)
  invariant(typeof units === 'bigint', () => `${text} is not a decimal with ${places} decimals: ${units}`)
  return units
}
