/** Addresses, ranges of addresses, and the client address of a request. */
import {
  type Address,
  contains,
  limitKey,
  parseAddress,
  parseAddressRange,
} from '../../../src/server/access/auth/address.ts'
import { clientAddressFinder } from '../../../src/server/access/auth/client-address.ts'
import type { RandomSource } from '../../model/random-source.ts'
import { addressBits, rangeBits } from '../oracles/address.ts'
import { expectThat, type Target } from '../target.ts'

const SAMPLES = [
  '10.0.0.0/8',
  '2001:db8::/32',
  '::1',
  '::ffff:10.1.2.3',
  '::ffff:10.0.0.0/104',
  'fe80::1%eth0',
  '1:2:3:4:5:6:7:8',
  '::',
  '1.2.3.4',
  '256.1.1.1',
  '01.2.3.4',
  '1::2::3',
  '1:2:3:4:5:6:1.2.3.4',
  '10.0.0.0/33',
  '::/129',
  '::/0',
  '0.0.0.0/00',
]

/** `parseAddressRange`, `parseAddress`, `contains`: two texts separated by a space, the second an address. */
export const address: Target<string> = {
  name: 'address',
  executions: 80_000,
  samples: SAMPLES.flatMap((range) => [`${range} 10.1.2.3`, `${range} ::ffff:10.1.2.3`]),
  generate: (random) => `${randomAddress(random)}/${random.below(130)} ${randomAddress(random)}`,
  tokens: ['::', ':', '.', '/', '%', 'ffff', '255', '0', '/32', '::ffff:'],
  check: checkAddress,
  outcomes: ['inside', 'outside', 'none'],
}

function randomAddress(random: RandomSource): string {
  const groups = Array.from({ length: 8 }, () => random.below(random.pick([2, 65_536])).toString(16))
  if (random.once(3)) return Array.from({ length: 4 }, () => random.below(256)).join('.')
  if (random.once(3)) return `::ffff:${Array.from({ length: 4 }, () => random.below(256)).join('.')}`
  const at = random.below(8)
  return random.once(2)
    ? groups.join(':')
    : `${groups.slice(0, at).join(':')}::${groups.slice(at + random.between(1, 3)).join(':')}`
}

function checkAddress(input: string): string {
  const space = input.indexOf(' ')
  const [first, second] = space < 0 ? [input, ''] : [input.slice(0, space), input.slice(space + 1)]
  const range = parseAddressRange(first)
  const expected = rangeBits(first)
  expectThat(
    (range === undefined) === (expected === undefined),
    () => `range ${range?.prefix}, expected ${expected?.prefix}`,
  )
  if (range !== undefined && expected !== undefined) {
    expectThat(
      bitsOf(range) === expected.bits && range.prefix === expected.prefix,
      () => `${bitsOf(range)}/${range.prefix}`,
    )
  }
  const one = parseAddress(second)
  const bits = addressBits(second)
  expectThat(
    (one === undefined ? undefined : bitsOf(one)) === bits,
    () => `address ${one?.bits}, expected ${bits}`,
  )
  expectThat(typeof limitKey(second) === 'string', () => 'no limit key')
  if (range === undefined || expected === undefined || one === undefined || bits === undefined) return 'none'
  const isInside =
    bits.length === expected.bits.length && bits.startsWith(expected.bits.slice(0, expected.prefix))
  expectThat(contains(range, one) === isInside, () => `contains says ${!isInside}`)
  return isInside ? 'inside' : 'outside'
}

function bitsOf({ family, bits }: Address): string {
  return bits.toString(2).padStart(family === 4 ? 32 : 128, '0')
}

const PROXIES = ['10.0.0.0/8', 'fd00::/8', '192.0.2.7']
const behindProxies = clientAddressFinder(PROXIES)
const alone = clientAddressFinder([])

/** `clientAddressFinder`: the socket's address, a line feed, and `X-Forwarded-For`. */
export const forwardedFor: Target<string> = {
  name: 'forwarded-for',
  executions: 60_000,
  samples: [
    '10.0.0.1\n1.2.3.4',
    '10.0.0.1\n1.2.3.4, 10.0.0.2',
    '8.8.8.8\n1.2.3.4',
    '::ffff:10.0.0.1\n::1,fd00::2',
    '10.0.0.1\nrubbish, 10.0.0.3',
    '10.0.0.1\n1.2.3.4:80, [fd00::2]:443, [fd00::3], 10.0.0.3:1',
    `10.0.0.1\n${'10.0.0.9,'.repeat(60)}`,
  ],
  generate: (random) =>
    `${random.pick(['10.0.0.1', 'fd00::1', '192.0.2.7', '8.8.8.8'])}\n${Array.from({ length: random.below(6) }, () => (random.once(2) ? `10.0.${random.below(256)}.1` : randomAddress(random))).join(', ')}`,
  tokens: [
    ',',
    ', ',
    '10.0.0.1',
    'fd00::1',
    'unknown',
    '"[::1]:80"',
    '[::1]:80',
    '[',
    ']',
    ':8080',
    '_hidden',
  ],
  check: checkForwardedFor,
  outcomes: ['socket', 'forwarded', 'untrusted socket'],
}

function checkForwardedFor(input: string): string {
  const feed = input.indexOf('\n')
  const [socket, header] = feed < 0 ? [input, null] : [input.slice(0, feed), input.slice(feed + 1)]
  const plain = plainOf(socket)
  expectThat(alone(socket, header) === plain, () => 'without trusted proxies the header counted')
  const found = behindProxies(socket, header)
  if (!isProxy(plain)) {
    expectThat(found === plain, () => `${found} instead of an untrusted socket's own address`)
    return 'untrusted socket'
  }
  const expected = walk(plain, (header ?? '').split(','))
  expectThat(found === expected, () => `${found}, expected ${expected}`)
  return found === plain ? 'socket' : 'forwarded'
}

/** Each trusted proxy is responsible for the entry that it wrote, which is the last one not yet read. */
function walk(own: string, hops: string[]): string {
  let client = own
  for (let looked = 0; looked < 32 && isProxy(client); looked++) {
    const hop = plainOf(portless((hops.pop() ?? '').trim()))
    if (addressBits(hop) === undefined) return client
    client = hop
  }
  return client
}

/** `a.b.c.d:port`, `[ipv6]:port` and `[ipv6]`, reduced to the address. */
function portless(hop: string): string {
  const close = hop.indexOf(']')
  if (hop.startsWith('[') && close > 0 && !hop.includes('[', 1)) {
    const rest = hop.slice(close + 1)
    return rest === '' || (rest.startsWith(':') && isPort(rest.slice(1))) ? hop.slice(1, close) : hop
  }
  const [host = '', port = '', ...more] = hop.split(':')
  return more.length === 0 && isPort(port) ? host : hop
}

function isPort(text: string): boolean {
  return text.length > 0 && text.length <= 5 && [...text].every((digit) => digit >= '0' && digit <= '9')
}

function plainOf(text: string): string {
  return text.startsWith('::ffff:') && text.includes('.') ? text.slice('::ffff:'.length) : text
}

function isProxy(text: string): boolean {
  const bits = addressBits(text)
  return PROXIES.some((proxy) => {
    const range = rangeBits(proxy)
    const isSame = bits !== undefined && range?.bits.length === bits.length
    return isSame && bits.startsWith(range.bits.slice(0, range.prefix))
  })
}
