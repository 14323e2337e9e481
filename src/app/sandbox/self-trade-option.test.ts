import { expect, test } from 'bun:test'
import { selfTradeOption } from './self-trade-option.ts'

test('the mode of self-trade prevention is read from a sandbox’s command line, and any other value is refused', () => {
  expect(selfTradeOption(['--port', '0'])).toEqual({ selfTradeMode: undefined, others: ['--port', '0'] })
  expect(selfTradeOption(['--self-trade', 'none', '--port=0'])).toEqual({
    selfTradeMode: 'NONE',
    others: ['--port=0'],
  })
  expect(selfTradeOption(['--self-trade=EXPIRE_BOTH']).selfTradeMode).toBe('EXPIRE_BOTH')
  const modes = 'NONE, EXPIRE_TAKER, EXPIRE_MAKER, EXPIRE_BOTH, DECREMENT'
  for (const [line, message] of [
    [['--self-trade', 'maker'], `--self-trade needs one of ${modes}, found maker`],
    [['--self-trade'], `--self-trade needs one of ${modes}, found nothing`],
    [['--self-trade=NONE', '--self-trade=NONE'], '--self-trade is given twice'],
  ] as const) {
    expect(() => selfTradeOption(line)).toThrow(message)
  }
})
