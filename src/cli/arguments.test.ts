import { expect, test } from 'bun:test'
import { httpAddress, UsageError } from './arguments.ts'

test('an address of a node is of either scheme of HTTP, and of no other', () => {
  for (const url of ['http://127.0.0.1:8081', 'https://node.example:8443'])
    expect(httpAddress(url).origin).toBe(url)
  for (const text of ['ftp://node.example', 'node.example:8081', 'https://', 'file:///etc/passwd', ''])
    expect(() => httpAddress(text)).toThrow(UsageError)
})
