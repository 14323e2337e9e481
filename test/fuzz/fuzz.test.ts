/**
 * The committed corpus and the samples of every parser of outside input; `fuzz.slow.test.ts` has the
 * generated inputs.
 */
import { afterAll, describe, expect, test } from 'bun:test'
import { ROUTES } from '../../src/server/http/routes.ts'
import { corpusLine, readCorpus } from './corpus.ts'
import { fuzz } from './fuzz.ts'
import { expectThat, type Target } from './target.ts'
import { TARGETS } from './targets/all.ts'
import { HTTP_SAMPLES } from './targets/gateway.ts'

const SEED = 7

describe('every earlier finding leads to documented results only', () => {
  const closing: Target['close'][] = []
  afterAll(async () => {
    for (const close of closing) await close?.()
  })

  for (const [name, make] of Object.entries(TARGETS)) {
    test(name, async () => {
      const target = await make()
      closing.push(target.close)
      const inputs = readCorpus(target.name).length + target.samples.length
      const seen = await fuzz(target, { seed: SEED, executions: inputs })
      expect([...seen.values()].reduce((sum, times) => sum + times, 0)).toBe(inputs)
    })
  }
})

describe('a finding', () => {
  const picky: Target<string> = {
    name: 'picky',
    executions: 10_000,
    samples: ['all is well'],
    tokens: [],
    check: (text) => {
      expectThat(!text.includes('%'), () => 'a percent sign')
      return 'fine'
    },
    outcomes: [],
  }

  test('names target and seed, and its input is shrunk to what is needed', async () => {
    const failing = fuzz(picky, { seed: 7, executions: picky.executions })
    await expect(failing).rejects.toThrow(
      /^picky: FindingError: a percent sign\n.*txt: "%"\n.*--target picky --seed 7$/,
    )
  })

  test('is also any undocumented error, and an execution that takes too long', async () => {
    const throwing: Target<string> = {
      ...picky,
      check: (text) => (null as unknown as string[])[text.length] ?? '',
    }
    await expect(fuzz(throwing, { seed: 7, executions: 1 })).rejects.toThrow('TypeError')
    const slow: Target<string> = { ...picky, check: (text) => sleepOver(text === 'all is well' ? 25 : 0) }
    const late = fuzz(slow, { seed: 7, executions: 1, executionMsMax: 20 })
    await expect(late).rejects.toThrow('takes more than 20 ms')
  })

  test('is not a single slow execution on a busy machine', async () => {
    let runs = 0
    const once: Target<string> = { ...picky, check: () => sleepOver(runs++ === 0 ? 25 : 0) }
    expect((await fuzz(once, { seed: 7, executions: 1, executionMsMax: 20 })).get('late')).toBe(1)
  })
})

test('every endpoint has a sample that is mutated', () => {
  const sampled = new Set(HTTP_SAMPLES.map((sample) => sample.split(/[?\n]/)[0]))
  for (const [path, { endpoints }] of ROUTES) {
    if (!path.startsWith('/api/v3/')) continue
    for (const method of Object.keys(endpoints).filter((name) => name !== 'HEAD')) {
      expect([...sampled]).toContain(`${method} ${path}`)
    }
  }
})

test('a corpus line is read back as the input that it was written for', async () => {
  expect(corpusLine('a"\u001e')).toBe('"a\\"\u001e"'.replace('\u001e', '\\u001e'))
  expect(corpusLine(Uint8Array.of(0, 255))).toBe('00ff')
})

function sleepOver(ms: number): string {
  Bun.sleepSync(ms)
  return 'late'
}
