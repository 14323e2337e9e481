import { expect, test } from 'bun:test'
import { demoTerms } from './terms.ts'

test('seed and pace are read from a command line, and the rest goes to the sandbox', () => {
  expect(demoTerms(['--port', '0', '--seed=7', '--pace', '20', '--data', 'x'])).toEqual({
    terms: { seed: 7, pace: 20 },
    others: ['--port', '0', '--data', 'x'],
  })
  expect(demoTerms([])).toEqual({ terms: {}, others: [] })
})

test.each([
  [['--seed'], '--seed needs a whole number from 0 to 9007199254740991, found nothing'],
  [['--seed', '-1'], '--seed needs a whole number from 0 to 9007199254740991, found -1'],
  [
    ['--seed', '9007199254740992'],
    '--seed needs a whole number from 0 to 9007199254740991, found 9007199254740992',
  ],
  [['--pace', '0'], '--pace needs a whole number from 1 to 50, found 0'],
  [['--pace=51'], '--pace needs a whole number from 1 to 50, found 51'],
  [['--pace=1.5'], '--pace needs a whole number from 1 to 50, found 1.5'],
  [['--seed', '1', '--seed', '1'], '--seed is given twice'],
])('a command line with %j is refused with what was expected', (line, message) => {
  expect(() => demoTerms(line)).toThrow(message)
})
