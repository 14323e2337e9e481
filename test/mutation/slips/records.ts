/** Slips in the shapes of records, and in the fields that the core stores but does not use. */
import type { Slip } from '../slips.ts'

const RECORDS = 'src/core/registry/records.ts'
const STORED = 'src/core/registry/records-codec.ts'
const RIGHTS = 'src/core/records/rights-codec.ts'
const AMENDMENTS = 'src/core/registry/amendments.ts'
const ORDER = 'src/core/commands/place-order-codec.ts'
const LIST = 'src/core/commands/place-list-codec.ts'
const CORPUS = ['test/corpus/corpus.test.ts']
const REGISTRY = ['src/core/registry']
const IMPOSSIBLE = ['src/core/records/impossible-records.test.ts']
const COMMANDS = ['src/core/commands/command-codec.test.ts']
const KEYED = ['src/core/trading', 'src/core/snapshot/snapshot-carried.test.ts']

export const RECORD_SLIPS: readonly Slip[] = [
  {
    wrong: 'deposits and withdrawals of an asset change places',
    file: 'src/core/registry/terms.ts',
    before: '  isDeposit: flag(),\n  isWithdraw: flag(),',
    after: '  isWithdraw: flag(),\n  isDeposit: flag(),',
    tests: CORPUS,
  },
  {
    wrong: 'the shares of makers and of takers change places',
    file: RECORDS,
    before: '  makerShare: uint<Rate>(),\n  takerShare: uint<Rate>(),',
    after: '  takerShare: uint<Rate>(),\n  makerShare: uint<Rate>(),',
    tests: CORPUS,
  },
  {
    wrong: 'the limits of a role in and out change places',
    file: RECORDS,
    before:
      '  /** From the outside world. */\n  in: WAY_LIMIT,\n  /** To the outside world. */\n  out: WAY_LIMIT,',
    after: '  out: WAY_LIMIT,\n  in: WAY_LIMIT,',
    tests: CORPUS,
  },
  {
    wrong: 'a token with a role of the operators has more rights in its first form than to read',
    file: RECORDS,
    before: "?? 'READ_ONLY'",
    after: "?? 'OPERATOR'",
    tests: CORPUS,
  },
  {
    wrong: 'who ordered a phase and why change places',
    file: RECORDS,
    before: '  actor: text(),\n  note: text(),\n})\n\n/** A phase of the exchange that',
    after: '  note: text(),\n  actor: text(),\n})\n\n/** A phase of the exchange that',
    tests: CORPUS,
  },
  {
    wrong: 'the codes of a symbol change places on the way to a read model',
    file: RECORDS,
    before: 'const [baseCode, quoteCode] = [r.text(), r.text()]',
    after: 'const [quoteCode, baseCode] = [r.text(), r.text()]',
    tests: CORPUS,
  },
  {
    wrong: 'the person who rejected a request is shown as the one who made it',
    file: 'src/core/questions/view.ts',
    before: '  askedBy: text(),\n  rejectedBy: text(),',
    after: '  rejectedBy: text(),\n  askedBy: text(),',
    tests: CORPUS,
  },
  {
    wrong: 'the state of a withdrawal and the time of its request change places',
    file: 'src/core/ledger/withdrawals.ts',
    before: '  state: word(WITHDRAWAL_STATES),\n  requestedAt: uint<TimeMs>(),',
    after: '  requestedAt: uint<TimeMs>(),\n  state: word(WITHDRAWAL_STATES),',
    tests: CORPUS,
  },
  {
    wrong: 'a snapshot may have a withdrawal of nothing',
    file: 'src/core/ledger/withdrawals.ts',
    before: 'isAmount(amount, 1)',
    after: 'isAmount(amount, 0)',
    tests: IMPOSSIBLE,
  },
  {
    wrong: 'a snapshot may have an address that was usable before it came',
    file: 'src/core/ledger/withdrawal-addresses.ts',
    before: 'address.usableAt >= address.addedAt',
    after: 'address.usableAt >= 0',
    tests: IMPOSSIBLE,
  },
  {
    wrong: 'every asset of a snapshot has the id of the first',
    file: STORED,
    before: '  asset.id = id\n',
    after: '',
    tests: REGISTRY,
  },
  {
    wrong: 'every account of a snapshot has the id of the first',
    file: STORED,
    before: '  account.id = id\n',
    after: '',
    tests: REGISTRY,
  },
  {
    wrong: 'the decimals of both assets of a symbol in a snapshot are those of one',
    file: STORED,
    before: 'symbol.quotePrecision = quote.fraction',
    after: 'symbol.quotePrecision = base.fraction',
    tests: REGISTRY,
  },
  {
    wrong: 'a snapshot may have restrictions of an account of the house',
    file: STORED,
    before: '!isTrader && isAmendedAccount(account)',
    after: 'false',
    tests: IMPOSSIBLE,
  },
  {
    wrong: 'a snapshot may have a trader with a name of the house',
    file: STORED,
    before: 'isTrader && !isValidTraderName(name)',
    after: 'isTrader && name.length < 1',
    tests: IMPOSSIBLE,
  },
  {
    wrong: 'a snapshot may have a key that no operator can give',
    file: STORED,
    before: '(key: ApiKey) => isValidApiKey(key)',
    after: '(key: ApiKey) => isValidApiKey(key) || key.addresses.length >= 0',
    tests: REGISTRY,
  },
  {
    wrong: 'a role may have a right twice',
    file: RIGHTS,
    before: 'place > (places[at - 1] as number)',
    after: 'place >= (places[at - 1] as number)',
    tests: IMPOSSIBLE,
  },
  {
    wrong: 'a snapshot may ask for more approvals than there can be',
    file: RIGHTS,
    before: '({ needed }) => needed <= APPROVERS_MAX',
    after: '({ needed }) => needed <= APPROVERS_MAX + 1',
    tests: IMPOSSIBLE,
  },
  {
    wrong: 'an account stays in a tier that it has left',
    file: AMENDMENTS,
    before: 'all.filter(([, value]) => value !== undefined)',
    after: 'all.map(([name, value]) => [name, value ?? Reflect.get(record, name)])',
    tests: REGISTRY,
  },
  {
    wrong: 'the journal forgets which key placed an order',
    file: ORDER,
    before: '  if (c.keyNumber !== undefined) w.uint(c.keyNumber)\n',
    after: '  if (c.keyNumber !== undefined) w.uint(0)\n',
    tests: COMMANDS,
  },
  {
    wrong: 'a LIMIT order is read from the journal without its key',
    file: ORDER,
    before: '      keyNumber,\n',
    after: '      keyNumber: undefined,\n',
    tests: COMMANDS,
  },
  {
    wrong: 'an order of another type is read from the journal without its key',
    file: ORDER,
    before: 'clientOrderId, keyNumber } as const',
    after: 'clientOrderId, keyNumber: undefined } as const',
    tests: COMMANDS,
  },
  {
    wrong: 'the journal forgets which key placed a list of orders',
    file: LIST,
    before: '  if (c.keyNumber !== undefined) w.uint(c.keyNumber)\n',
    after: '  if (c.keyNumber !== undefined) w.uint(0)\n',
    tests: COMMANDS,
  },
  {
    wrong: 'an order is opened without the key that placed it',
    file: 'src/core/trading/new-order.ts',
    before: 'keyNumber: asked.keyNumber || undefined,',
    after: 'keyNumber: undefined,',
    tests: KEYED,
  },
  {
    wrong: 'the event of an order does not name the key that placed it',
    file: 'src/core/trading/execution.ts',
    before: '    keyNumber,\n',
    after: '    keyNumber: keyNumber && undefined,\n',
    tests: KEYED,
  },
  {
    wrong: 'an open order that is read from a snapshot loses its key in the table of open orders',
    file: 'src/core/trading/open-orders.ts',
    before: 'this.#keys[row] = carrying.keyNumber ?? NO_KEY',
    after: 'this.#keys[row] = NO_KEY',
    tests: KEYED,
  },
]
