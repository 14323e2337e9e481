/** Figures in sentences of the reference, outside its tables (`docs.test.ts`), equal those of the code. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { SETTINGS } from '../src/app/settings/schema.ts'
import { MemoryNonces } from '../src/server/access/auth/memory-nonces.ts'
import type { AccountId } from '../src/units/ids.ts'
import type { TimeMs } from '../src/units/quantities.ts'
import { ROOT } from './support/bourse-process.ts'

const reference = (name: string): string =>
  readFileSync(path.join(ROOT, 'docs', 'reference', `${name}.md`), 'utf8')

test('configuration.md names every number that may be 0', () => {
  const sentence = /^All numbers are integers of at least 1; (.*) may be 0\./m.exec(
    reference('configuration'),
  )
  const named = [...(sentence?.[1] ?? '').matchAll(/`([\w.]+)`/g)].map(([, name]) => name)
  const mayBe0 = SETTINGS.filter(({ kind }) => kind.check(0) !== undefined)
  expect(named).toEqual(mayBe0.map(({ name }) => name))
})

test('authentication.md says how many nonces of one account alone are remembered', () => {
  const nonces = new MemoryNonces(0)
  const request = { apiKey: 'key', accountId: 1 as AccountId, timestamp: 10_000, acceptableUntil: 15_000 }
  const take = () => nonces.take({ ...request, nonce: String(nonces.count), now: 10_000 as TimeMs }).kind
  while (take() === 'FRESH');
  expect(take()).toBe('FULL')
  expect(reference('authentication')).toContain(`alone ${nonces.count.toLocaleString('en')}, which`)
})
