/**
 * The market that every run begins with: three assets, two or three symbols, traders with money. Decimals,
 * rates and limits are drawn.
 */
import type { Command } from '../../src/core/commands/command.ts'
import type { Operator } from '../../src/core/commands/operator.ts'
import { RULES_MIN } from '../../src/core/exchange/rules.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { SELF_TRADE_MODES } from '../../src/units/order-enums.ts'
import { amount, type Decimals, type Lots, type Rate } from '../../src/units/quantities.ts'
import { NEWEST_RULES } from '../../test/oracle/administered.ts'
import type { Random } from '../world/random.ts'

const CODES = ['BTC', 'ETH', 'USDT'] as const
const PAIRS = [
  ['BTC', 'USDT'],
  ['ETH', 'USDT'],
  ['ETH', 'BTC'],
] as const
/** Number of accounts before the first trader's: outside world, fees, and one for each symbol. */
const HOUSE = 2 + PAIRS.length
const TRADERS = 5
/** Number of those traders that have the maximum number of keys. */
const FULL_TRADERS = 2

export function setupCommands(random: Random): Command[] {
  let number = 0
  const operator = () => ({ actor: 'setup', note: `setup ${++number}` })
  const version = random.pick([random.between(RULES_MIN, NEWEST_RULES), NEWEST_RULES])
  const rules = { kind: 'SetRulesVersion', operator: operator(), version } as const
  const assets: Command[] = CODES.map((code) => ({
    kind: 'ListAsset',
    operator: operator(),
    code,
    name: code,
    fraction: random.between(2, 6) as Decimals,
    flags: { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: true },
    supplyCap: amount(0n),
  }))
  const commands: Command[] = [rules, ...assets]
  for (const [base, quote] of PAIRS) {
    commands.push({
      kind: 'ListSymbol',
      operator: operator(),
      base,
      quote,
      terms: {
        baseFraction: random.between(0, 2) as Decimals,
        quoteFraction: random.between(0, 2) as Decimals,
        makerRate: random.pick([0, 100_000, 1_234_567]) as Rate,
        takerRate: random.pick([0, 200_000, 7_654_321]) as Rate,
        minTotal: amount(random.pick([0n, 0n, 100n])),
        minQuantity: random.pick([0, 0, 3]) as Lots,
        selfTradeMode: random.pick(SELF_TRADE_MODES),
        openOrdersMax: random.pick([6, 40, 200]),
        levelsMax: random.pick([6, 20, 200]),
      },
    })
  }
  for (let i = 0; i < TRADERS; i++) {
    commands.push({ kind: 'CreateAccount', operator: operator(), name: `trader ${i}` })
    for (const asset of CODES) {
      commands.push({
        kind: 'Credit',
        operator: operator(),
        accountId: (HOUSE + i) as AccountId,
        asset,
        amount: amount(random.pick([10n ** 4n, 10n ** 8n, 10n ** 10n])),
        reference: `setup ${number}`,
      })
    }
  }
  if (version === NEWEST_RULES)
    for (let i = 0; i < FULL_TRADERS; i++) commands.push(...fullOfKeys(i, operator))
  // Approvals need two named tokens.
  for (const place of [0, 1]) {
    const token = {
      name: `token-${place}`,
      role: 'OPERATOR',
      digest: new Uint8Array(32).fill(place + 1),
    } as const
    commands.push({ kind: 'AddAdminToken', operator: operator(), ...token })
  }
  return commands
}

/** Creates one active key, and as many revoked keys as the account may have in addition. */
function fullOfKeys(trader: number, operator: () => Operator): Command[] {
  const rest = { sealedSecret: new Uint8Array(40), permissions: [], addresses: [], label: '' } as const
  const accountId = (HOUSE + trader) as AccountId
  const [first, second, last] = ['first', 'second', 'last'].map((name) => `setup ${trader} ${name}`)
  const create = (apiKey = ''): Command => {
    return { kind: 'CreateApiKey', operator: operator(), accountId, apiKey, ...rest }
  }
  const revoke = (apiKey = ''): Command => ({ kind: 'RevokeApiKey', operator: operator(), apiKey })
  return [create(first), create(second), revoke(first), revoke(second), create(last)]
}
