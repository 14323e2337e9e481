/** Slips in the names of symbols for clients of Binance. */
import type { Slip } from '../slips.ts'

const RULES = 'src/core/operators/binance-names.test.ts'

export const BINANCE_NAMES: readonly Slip[] = [
  {
    wrong: 'a listing may take the name that another symbol has for clients of Binance',
    file: 'src/core/registry/registry.ts',
    before: 'if (isUnique && this.symbolByBinanceName(binanceName ?? joined) !== undefined)',
    after: 'if (isUnique && this.symbolByBinanceName(joined) !== undefined)',
    tests: [RULES],
  },
  {
    wrong: 'the name that a listing gives for clients of Binance is not checked',
    file: 'src/core/registry/registry.ts',
    before:
      "    if (binanceName !== undefined && !isValidBinanceName(binanceName)) return 'INVALID_COMMAND'\n",
    after: '',
    tests: [RULES],
  },
  {
    wrong: 'the name that both codes make anyway is kept twice',
    file: 'src/core/registry/registry.ts',
    before: 'binanceName === undefined || binanceName === joined ? {}',
    after: 'binanceName === undefined ? {}',
    tests: [RULES],
  },
  {
    wrong: 'a journal whose symbols share a name is no longer replayed as it ran',
    file: 'src/core/operators/listings.ts',
    before: 'isUnique: state.rulesVersion >= BINANCE_NAME_RULES',
    after: 'isUnique: true',
    tests: [RULES],
  },
  {
    wrong: 'a listing gives a name under rules that do not know it',
    file: 'src/core/commands/command-rules.ts',
    before: 'return command.binanceName === undefined ? since : BINANCE_NAME_RULES',
    after: 'return since',
    tests: [RULES],
  },
  {
    wrong: 'a snapshot may have a name of a symbol that no client of Binance can send',
    file: 'src/core/registry/optional-fields.ts',
    before: 'binanceName === undefined || isValidBinanceName(binanceName)',
    after: 'binanceName === undefined || binanceName.length > 0',
    tests: ['src/core/registry/optional-fields.test.ts'],
  },
  {
    wrong: 'a symbol with a name of its own is offered under both codes',
    file: 'src/core/registry/binance-name.ts',
    before: 'return binanceName ?? baseCode + quoteCode',
    after: 'return baseCode + quoteCode',
    tests: ['src/server/binance/market/symbol-names.test.ts'],
  },
  {
    wrong: 'a name that two symbols have is the name of the first',
    file: 'src/server/binance/market/joined-symbols.ts',
    before: 'if (taken.has(name)) found.delete(name)\n    else found.set',
    after: 'if (!taken.has(name)) found.set',
  },
  {
    wrong: 'the refusal of a name does not say which symbol has it',
    file: 'src/server/admin/submit.ts',
    before: 'symbols().find((symbol) => binanceNameOf(symbol) === binanceName)',
    after: 'symbols().at(-1)',
    tests: ['src/server/admin/markets/binance-names.test.ts'],
  },
]
