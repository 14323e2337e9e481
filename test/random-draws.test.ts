/**
 * No test fails because of what it happened to draw: cases that must be covered are drawn until they occur
 * (src/units/random-rounds.fixture.ts), or occur so often that they are never missing.
 */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dir, '..')
/**
 * In standard deviations: if the mean is this far above the demanded number, the demand fails less than once
 * in a million runs.
 */
const DEVIATIONS_LEAST = 5

type Measured = { readonly demanded: number; readonly mean: number; readonly deviation: number }

/**
 * Files that demand some cases of a single round of draws. For the rarest of these cases: the demanded
 * number, and its mean and deviation over 8 to 20 runs.
 */
const MET_OFTEN: Readonly<Record<string, Measured>> = {
  'src/client/stream/stream-orders.property.test.ts': { demanded: 200, mean: 420, deviation: 13 },
  'src/core/market/books-agree.test.ts': { demanded: 300, mean: 495, deviation: 15 },
  'src/core/market/look-ahead.test.ts': { demanded: 100, mean: 609, deviation: 36 },
  'src/customers/http/bodies.property.test.ts': { demanded: 1, mean: 35, deviation: 6 },
  'src/engine/writer/spending-race.test.ts': { demanded: 100, mean: 667, deviation: 59 },
  'src/server/admin/markets/order-sizes.test.ts': { demanded: 10, mean: 62, deviation: 8 },
  'src/server/http/request-parameters.test.ts': { demanded: 1_000, mean: 5_314, deviation: 206 },
  'src/server/public/nearest.test.ts': { demanded: 30, mean: 129, deviation: 5 },
  'src/views/placements.test.ts': { demanded: 50, mean: 155, deviation: 13 },
  'test/model/slicing.slow.test.ts': { demanded: 50, mean: 237, deviation: 3 },
  'test/model/total.slow.test.ts': { demanded: 5, mean: 43, deviation: 6 },
  'test/order-entry/same-as-http.test.ts': { demanded: 25, mean: 257, deviation: 16 },
}

/** Whether a demand on all draws together follows draws whose seed is not fixed. */
function demandsOfOneRound(text: string): boolean {
  return [...text.matchAll(/^( *)(?:await )?fc\.assert\(/gm)].some(({ index, 0: start, 1: indent = '' }) => {
    let end = index + start.length
    for (let open = 1; open > 0 && end < text.length; end++) {
      if (text[end] === '(') open++
      else if (text[end] === ')') open--
    }
    if (/\{[^{}]*\bseed: [^{}]*\},?\s*\)$/.test(text.slice(index, end))) return false
    const rest = text.slice(end)
    const behind = rest.slice(0, rest.search(new RegExp(`^ {0,${Math.max(0, indent.length - 2)}}}`, 'm')))
    return /toBeGreaterThan|expect\(\[\.\.\./.test(behind)
  })
}

test('a test that requires several cases of its random draws draws until they are met, or meets them far more often', () => {
  const listed = Bun.spawnSync(
    [
      'git',
      'ls-files',
      '--cached',
      '--others',
      '--exclude-standard',
      '*.test.ts',
      '*.contract.ts',
      '*.fixture.ts',
    ],
    { cwd: ROOT },
  )
  const files = listed.stdout.toString().trim().split('\n')
  const found = files.filter((file) => demandsOfOneRound(readFileSync(path.join(ROOT, file), 'utf8')))
  expect(found.toSorted()).toEqual(Object.keys(MET_OFTEN).toSorted())
})

test('frequent cases of random draws are so frequent that no run misses them', () => {
  const near = Object.entries(MET_OFTEN).filter(
    ([, { demanded, mean, deviation }]) => mean - DEVIATIONS_LEAST * deviation < demanded,
  )
  expect(near).toEqual([])
})

test('a requirement after random draws is found, and one on draws of a fixed seed, or inside of them, is not', () => {
  const body = (options: string, behind: string) =>
    `test('x', () => {\n  fc.assert(\n    fc.property(fc.nat(), (n) => {\n      expect(n).toBeGreaterThan(-1)\n    }),\n    ${options},\n  )\n${behind}})\n`
  const demand = '  expect(count).toBeGreaterThan(3)\n'
  expect(demandsOfOneRound(body('{ numRuns: 9 }', demand))).toBe(true)
  expect(demandsOfOneRound(body('{ numRuns: 9, seed: 1 }', demand))).toBe(false)
  expect(demandsOfOneRound(body('{ numRuns: 9 }', ''))).toBe(false)
  expect(demandsOfOneRound(body('{ numRuns: 9 }', '') + body('{ seed: 1 }', demand))).toBe(false)
})
