/** The origin of a request, as far as it is stored and shown: a network, and a kind of device. */
import type { Origin } from '../store/sessions.ts'

/** The origin of an event that no request caused, or whose origin is not shown. */
export const NOWHERE: Origin = { device: '', network: '' }

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** `address`: IPv4, or IPv6 in any notation. */
export function originOf(address: string, userAgent: string | null): Origin {
  return {
    network: networkOf(address, (groups) => `${groups.slice(0, 3).join(':')}::/48`),
    device: deviceOf(userAgent ?? ''),
  }
}

function deviceOf(userAgent: string): string {
  const found = (words: readonly (readonly [string, string])[]) =>
    words.find(([mark]) => userAgent.includes(mark))?.[1]
  return [found(BROWSERS), found(SYSTEMS)].filter((word) => word !== undefined).join(', ')
}

/** The network for which failures are counted: a provider gives one customer a /56. */
export function countedNetwork(address: string): string {
  return networkOf(address, (groups) => {
    const [a = '0', b = '0', c = '0', d = '0'] = groups
    return `${[a, b, c, d.padStart(4, '0').slice(0, 2)].join(':')}::/56`
  })
}

function networkOf(address: string, sixOf: (groups: readonly string[]) => string): string {
  const four = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/.exec(address)
  if (four !== null) return `${four[1]}.0/24`
  const groups = (address.split('%')[0] ?? '').split('::')
  const head = (groups[0] ?? '').split(':').filter(Boolean)
  const tail = (groups[1] ?? '').split(':').filter(Boolean)
  const missing = Math.max(0, 8 - head.length - tail.length)
  const whole = groups.length === 2 ? [...head, ...Array<string>(missing).fill('0'), ...tail] : head
  return whole.length === 8 ? sixOf(whole) : ''
}
