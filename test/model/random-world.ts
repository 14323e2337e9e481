/**
 * The market at the start of a random run: assets from whole units to 18 decimals, symbols whose scales make
 * rounding matter, rates from nothing to nearly all, limits that are soon reached, and traders from poor to
 * very rich.
 */
import type { Command } from '../../src/core/commands/command.ts'
import { RULES_MIN, RULES_VERSION } from '../../src/core/exchange/rules.ts'
import type { AssetFlags, SymbolTerms } from '../../src/core/registry/terms.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { SELF_TRADE_MODES } from '../../src/units/order-enums.ts'
import { amount, decimals, lots, RATE_ONE, rate, type TimeMs, UNITS_MAX } from '../../src/units/quantities.ts'
import type { RandomSource } from './random-source.ts'

export const OPERATOR = { actor: 'model', note: '' }
export const ALL_FLAGS: AssetFlags = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: true }

/** Every version that a journal may begin with: half of the runs take one of them, half the newest. */
const RULES_VERSIONS = Array.from({ length: RULES_VERSION - RULES_MIN + 1 }, (_, at) => RULES_MIN + at)
const CODES = ['AAA', 'BBB', 'CCC'] as const
/** Base and quote of the symbols at the start: every asset is once a base and once a quote. */
const PAIRS = [
  ['AAA', 'BBB'],
  ['BBB', 'CCC'],
  ['CCC', 'AAA'],
] as const

/** Accounts of traders at the start; 0 and 1 are the house's, 2 to 4 the rounding accounts of the symbols. */
const FIRST_TRADER = 2 + PAIRS.length
const TRADERS = ['ann', 'ben', 'cleo'] as const

/** A time some steps after the start of a run. */
const SOON_MS = 1_700_000_000_060

/** Decimals of ledgers; often few, since then one unit is worth more. */
const PLACES = [0, 0, 1, 2, 2, 3, 8, 8, 18] as const
const RATES = [0, 1, 100_000, 100_000, 333_333, 12_345_678, 50_000_000, RATE_ONE - 1] as const

/** The commands that build the market. */
export function worldCommands(random: RandomSource): Command[] {
  const places = new Map(CODES.map((code) => [code as string, random.pick(PLACES)]))
  const version = random.once(2) ? random.pick(RULES_VERSIONS) : RULES_VERSION
  const rules: Command = { kind: 'SetRulesVersion', operator: OPERATOR, version }
  const commands = [rules, ...CODES.map((code) => listAsset(random, code, places.get(code) ?? 0))]
  for (const [base, quote] of PAIRS) {
    const terms = symbolTerms(random, places.get(base) ?? 0, places.get(quote) ?? 0)
    commands.push({ kind: 'ListSymbol', operator: OPERATOR, base, quote, terms })
  }
  for (const name of TRADERS) commands.push({ kind: 'CreateAccount', operator: OPERATOR, name })
  for (const [index] of TRADERS.entries()) {
    for (const asset of CODES) {
      const accountId = (FIRST_TRADER + index) as AccountId
      const reference = `start-${index}-${asset}`
      const sum = amount(funding(random))
      commands.push({ kind: 'Credit', operator: OPERATOR, accountId, asset, amount: sum, reference })
    }
  }
  commands.push(...[0, 1].map(keyOf))
  return random.once(2) ? commands : [...commands, ...strictRules()]
}

/** A key of one of the traders, for opening sessions. */
function keyOf(index: number): Command {
  const rest = { sealedSecret: new Uint8Array(60), permissions: [], addresses: [], label: '' }
  const accountId = (FIRST_TRADER + index) as AccountId
  return { kind: 'CreateApiKey', operator: OPERATOR, accountId, apiKey: `world-${index}`, ...rest }
}

/**
 * The newest rules; an asset of which nearly every amount needs approval; three people who may request
 * transfers of it, one of whom has made a request, and a fourth whose token is newer than that request. One
 * of them has a custom role with a small limit in another asset. Each trader may withdraw an asset: one
 * within limits, one amounts that need approval. One trader has as many keys as allowed.
 */
function strictRules(): Command[] {
  const digest = (place: number) => new Uint8Array(32).fill(place)
  const token = (name: string, place: number): Command => {
    return { kind: 'AddAdminToken', operator: OPERATOR, role: 'OPERATOR', name, digest: digest(place) }
  }
  const role = 'desk'
  const forEver = { expiresAt: 0 as TimeMs, addresses: [] }
  const little = { inEach: amount(0n), inDay: amount(5_000n), outEach: amount(900n), outDay: amount(1_000n) }
  const much = { supplyCap: amount(0n), creditMax: amount(0n), approvalAbove: amount(9n) }
  const bounds = { withdrawMin: amount(2n), withdrawMax: amount(40n), addressDelayMs: 0 }
  const place = { accountId: FIRST_TRADER as AccountId, asset: 'AAA', reference: 'much' }
  return [
    { kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION },
    { kind: 'SetAssetTerms', operator: OPERATOR, code: 'AAA', name: 'AAA', ...much },
    token('ann', 1),
    token('ben', 2),
    { kind: 'SetRole', operator: OPERATOR, name: role, rights: ['credit', 'withdrawals', 'approve'] },
    { kind: 'AddToken', operator: OPERATOR, name: 'dora', role, digest: digest(4), ...forEver },
    { kind: 'SetRoleLimit', operator: OPERATOR, role, asset: 'CCC', ...little },
    { kind: 'Credit', operator: { actor: 'ann', note: '' }, ...place, amount: amount(10n) },
    token('carl', 3),
    { kind: 'SetWithdrawalTerms', operator: OPERATOR, code: 'BBB', ...bounds },
    ...(['BBB', 'CCC', 'AAA'] as const).map((asset, place): Command => {
      const to = { address: 'bc1-one', tag: '', isAllowed: true, label: '', isAtOnce: true }
      const accountId = (FIRST_TRADER + place) as AccountId
      return { kind: 'SetAccountAddress', operator: OPERATOR, accountId, asset, ...to }
    }),
    ...fullAccount(),
  ]
}

/** The first trader has as many keys as an account may have: one was revoked, and one expires soon. */
function fullAccount(): Command[] {
  const add = (apiKey: string, expiresAt: number): Command => {
    const terms = { permissions: [], addresses: [], label: '', strictSignature: true } as const
    const of = { keyKind: 'ED25519', material: new Uint8Array(32), wire: 'BOURSE' } as const
    const accountId = FIRST_TRADER as AccountId
    const at = { expiresAt: expiresAt as TimeMs }
    return { kind: 'AddApiKey', operator: OPERATOR, accountId, apiKey, ...of, ...terms, ...at }
  }
  const revoke = { kind: 'RevokeApiKey', operator: OPERATOR, apiKey: 'world-old' } as const
  return [add('world-old', 0), revoke, add('world-soon', SOON_MS)]
}

function listAsset(random: RandomSource, code: string, fraction: number): Command {
  const supplyCap = amount(random.once(6) ? random.bits(70) : 0n)
  const place = { fraction: decimals(fraction), supplyCap }
  return { kind: 'ListAsset', operator: OPERATOR, code, name: code, flags: ALL_FLAGS, ...place }
}

/** Valid terms for assets with these decimals. */
export function symbolTerms(random: RandomSource, basePlaces: number, quotePlaces: number): SymbolTerms {
  const fraction = (places: number) => decimals(random.once(2) ? places : random.below(places + 1))
  return {
    baseFraction: fraction(basePlaces),
    quoteFraction: fraction(quotePlaces),
    makerRate: rate(random.pick(RATES)),
    takerRate: rate(random.pick(RATES)),
    minTotal: amount(random.once(4) ? BigInt(random.between(1, 50)) : 0n),
    minQuantity: lots(random.once(4) ? random.between(1, 8) : 0),
    selfTradeMode: random.once(2) ? 'NONE' : random.pick(SELF_TRADE_MODES),
    openOrdersMax: random.once(3) ? random.between(1, 6) : 1_000,
    levelsMax: random.once(3) ? random.between(1, 5) : 1_000,
  }
}

/** From a few units to sums far beyond 2^63. */
function funding(random: RandomSource): bigint {
  if (random.once(8)) return 1n + random.bits(12)
  if (random.once(4)) return 1n + random.bits(110)
  return BigInt(UNITS_MAX) * BigInt(random.between(1, 1_000_000))
}
