/** A tiny run of the page's benchmark: in a real browser the page shows exactly the state after the load. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { run } from '../../bench/page.ts'

setDefaultTimeout(300_000)

test('the benchmark of the page measures a page that shows the book and the trades of its load', async () => {
  const load = ['--changes', '50', '--markets', '2', '--steps', '120']
  const traced = ['--seconds', '1', '--other-seconds', '1', '--cases', 'key,depth,history,phone']
  const shown = await run([...load, ...traced, '--first-views', '1', '--networks', 'as it is'])
  expect(shown).toBe('shown: 96646e41')
})
