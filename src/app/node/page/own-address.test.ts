import { expect, test } from 'bun:test'
import { SANDBOX } from '../../../contract/sandbox-address.ts'
import { AddressedDocument } from './own-address.ts'

const text = `${'x'.repeat(2_000)} ${SANDBOX}/docs`

test('a document is cached for a few addresses, and a client that invents many gets the right one, neither cached nor compressed', async () => {
  const document = new AddressedDocument(text)
  const at = (address: string, nowMs: number) => document.at(address, nowMs)
  const first = at('https://first.example', 0)
  expect(new TextDecoder().decode(await first.as(undefined))).toEndWith(' https://first.example/docs')
  const made = Array.from({ length: 1_000 }, (_, i) => at(`http://made-up-${i}.example`, 1))
  expect(made.filter(({ isWorthIt }) => isWorthIt).length).toBe(3)
  expect(new TextDecoder().decode(await made.at(-1)?.as(undefined))).toEndWith(
    ' http://made-up-999.example/docs',
  )
  expect(at('https://first.example', 2)).toBe(first)
  // The least recently requested address is dropped later.
  expect(at('https://next.example', 9_000).isWorthIt).toBe(false)
  expect(at('https://next.example', 10_001).isWorthIt).toBe(true)
  expect([at('https://first.example', 10_002), at('http://made-up-0.example', 10_003)]).toEqual([
    first,
    expect.objectContaining({ isWorthIt: false }),
  ])
})
