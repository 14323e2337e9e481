/** The market maker in Python: it quotes, is killed and restarts, and never duplicates an order. */
import { afterAll, expect, test } from 'bun:test'
import path from 'node:path'
import { dataDirectory, ROOT } from '../support/bourse-process.ts'
import { MakerStage, playThrough } from '../support/market-maker.ts'
import { pythonFile, runPython } from './support/run-python.ts'

const EXAMPLE = path.join(ROOT, 'examples/market-maker')
const CLIENT = path.join(ROOT, 'clients/python')

const { path: data, remove } = dataDirectory()
let stage: MakerStage | undefined
afterAll(async () => {
  await stage?.close()
  remove()
})

test('the market maker in Python survives kills, a halt and a moving market, and repeats no order', async () => {
  stage = await MakerStage.open(data, {
    symbol: 'BTC/USDT',
    command: [
      pythonFile(),
      path.join(EXAMPLE, 'market_maker.py'),
      ...['--recv-window', '1000', '--grace', '60000', '--state', path.join(data, 'maker.json')],
    ],
    env: { PYTHONPATH: CLIENT, PYTHONDONTWRITEBYTECODE: '1' },
  })
  await playThrough(stage)
})

test('the decisions of the market maker in Python are a function of what it sees', async () => {
  const { out, code } = await runPython(['-m', 'unittest', 'test_market_maker'], {
    cwd: EXAMPLE,
    env: { PYTHONPATH: CLIENT },
  })
  expect([code, out]).toEqual([0, expect.stringContaining('OK')])
})
