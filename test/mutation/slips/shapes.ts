/** Slips in shapes, and in the rows of commands that are built from them. */
import type { Slip } from '../slips.ts'

const SHAPE = 'src/units/shapes/shape-bytes.ts'

export const SHAPE_SLIPS: readonly Slip[] = [
  {
    wrong: 'a flag among options is set whenever it is there, false too',
    file: SHAPE,
    before: 'const isThere = isBit ? ',
    after: 'const isThere = isBit && bit > 30 ? ',
  },
  {
    wrong: 'a flag among options is read as the opposite',
    file: SHAPE,
    before: ') !== 0`',
    after: ') === 0`',
  },
  {
    wrong: 'an option has the bit of the next one',
    file: SHAPE,
    before: '2 ** bit} : 0)`',
    after: '2 ** (bit + 1)} : 0)`',
  },
  {
    wrong: 'an option is looked for under the bit of the next one',
    file: SHAPE,
    before: '2 ** bit}`',
    after: '2 ** (bit + 1)}`',
  },
  {
    wrong: 'a field that may be absent is stored without saying that it is there',
    file: SHAPE,
    before: 'if (!isOptional && !mayBeUndefined) return there',
    after: 'if (!isOptional || !mayBeUndefined) return there',
  },
  {
    wrong: 'an absent option is a key of the record that is read',
    file: SHAPE,
    before: '    if (mayBeUndefined) return `',
    after: '    if (mayBeUndefined || bit >= 0) return `',
  },
  {
    wrong: 'a secret that was read keeps a whole snapshot in memory',
    file: SHAPE,
    before: "return 'r.bytes().slice()'",
    after: "return 'r.bytes()'",
  },
  {
    wrong: 'the bit of a field that is not known is passed over',
    file: SHAPE,
    before: 'if (bits < 2 ** fields) return bits',
    after: 'if (bits <= 2 ** fields) return bits',
  },
  {
    wrong: 'a word is stored as the one before it in a set',
    file: SHAPE,
    before: 'chosen.includes(word) ? mask | (1 << bit) : mask',
    after: 'chosen.includes(word) ? mask | ((1 << bit) >> 1) : mask',
  },
  {
    wrong: 'a record that cannot be is read',
    file: SHAPE,
    before: '.isPossible(',
    after: '.isPossible.bind(undefined,',
  },
  {
    wrong: 'two fields of a record change places',
    file: 'src/core/commands/rights.ts',
    before: '      inDay: integer<Amount>(),\n      outEach: integer<Amount>(),',
    after: '      outEach: integer<Amount>(),\n      inDay: integer<Amount>(),',
  },
  {
    wrong: 'a word has its number of another list',
    file: 'src/core/commands/listings.ts',
    before: 'state: word(SYMBOL_STATES)',
    after: 'state: word(SYMBOL_STATES.toReversed())',
  },
  {
    wrong: 'the actor and the note of a command of operators change places',
    file: 'src/core/commands/row.ts',
    before: 'object({ actor: text(), note: text() })',
    after: 'object({ note: text(), actor: text() })',
  },
  {
    wrong: 'a command is stored under another code',
    file: 'src/core/commands/sessions.ts',
    before: 'code: 52,',
    after: 'code: 77,',
  },
  {
    wrong: 'of a group of fields the last is not read',
    file: 'src/units/shapes/shape-bytes.ts',
    before: 'form.names.map(plain)',
    after: 'form.names.slice(0, -1).map(plain)',
  },
  {
    wrong: 'a lacking id is read as the first one',
    file: 'src/units/shapes/shape.ts',
    before: 'value === undefined ? 0 : value + 1',
    after: 'value === undefined ? 1 : value + 1',
  },
  {
    wrong: "an answer to a test of an order has its total and its commission in each other's place",
    file: 'src/core/exchange/tested-order.ts',
    before:
      '      total: integer<Amount>(),\n      /** Commission in ledger units of the received asset. */\n      commission: integer<Amount>(),',
    after:
      '      commission: integer<Amount>(),\n      /** Commission in ledger units of the received asset. */\n      total: integer<Amount>(),',
  },
  {
    wrong: 'a reply is sent under another code',
    file: 'src/core/questions/reply.ts',
    before: 'AccountOpened: { code: 6,',
    after: 'AccountOpened: { code: 60,',
  },
  {
    wrong: 'a field that its shape does not have reaches an answer',
    file: 'src/units/shapes/shape-json.ts',
    before: 'if (at++ === names.length) return false',
    after: 'if (at++ > names.length) return false',
    tests: ['src/units/shapes/shape.property.test.ts'],
  },
  {
    wrong: 'the sides of a book change places in its shape',
    file: 'src/contract/api/market-data.ts',
    before: '{ sell: LEVELS, buy: LEVELS }',
    after: '{ buy: LEVELS, sell: LEVELS }',
    tests: ['src/contract/publish/hand-written.property.test.ts'],
  },
  {
    wrong: 'the total of a created order is described as a text',
    file: 'src/contract/api/orders.ts',
    before: '  total: exactNumber(),\n',
    after: '  total: decimal(),\n',
    tests: ['src/contract/publish/hand-written.property.test.ts'],
  },
  {
    wrong: 'every message of a channel is described as a change',
    file: 'src/contract/stream/channels.ts',
    before: '  prevSeq: optional(',
    after: '  prevSeq: (',
    tests: ['src/contract/publish/hand-written.property.test.ts'],
  },
  {
    wrong: 'a level of a book is described without its quantity',
    file: 'src/contract/stream/channels.ts',
    before: 'const SIDE = listOf(tuple(fixedDecimal(), fixedDecimal())',
    after: 'const SIDE = listOf(tuple(fixedDecimal())',
    tests: ['src/contract/publish/hand-written.property.test.ts'],
  },
]
